/** Readers of parameters that may be links: each returns what a link means, or throws why it means nothing. */
export type LinkReaders = readonly ((link: string) => unknown)[];
