/**
 * Readers of parameters that accept links. Each returns the meaning of a link, or throws an error with the reason that
 * the link has none.
 */
export type LinkReaders = readonly ((link: string) => unknown)[];
