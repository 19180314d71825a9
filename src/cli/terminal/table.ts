import { sanitiseLine } from './sanitise.ts';

/** Returns the width of a text in terminal cells; wide East Asian characters and emoji take two cells (UAX 11). */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{Mn}|\p{Me}|[\u200c\u200d]/u.test(character)) continue;
    width +=
      /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return width;
}

/** Cuts a text to a number of cells, with an ellipsis. */
export function truncate(text: string, cells: number): string {
  if (textWidth(text) <= cells) return text;
  let start = '';
  for (const character of text) {
    if (textWidth(start + character) > cells - 1) break;
    start += character;
  }
  return `${start}…`;
}

/** Formats rows as lines with aligned columns. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(sanitiseLine));
  const widths = cells.reduce<number[]>(
    (maxWidths, row) => row.map((cell, at) => Math.max(textWidth(cell), maxWidths[at] ?? 0)),
    [],
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => cell + ' '.repeat(Math.max(0, (widths[at] ?? 0) - textWidth(cell))))
      .join('  ')
      .trimEnd();
  return cells.map((row) => `${line(row)}\n`).join('');
}
