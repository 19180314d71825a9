/**
 * The beginnings of notes of the extraction API that most responses have, and that say nothing about the files. The CLI
 * does not print them.
 */
export const routineNotes = { price: 'This request cost', links: 'The media links only work' } as const;
