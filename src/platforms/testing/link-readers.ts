import * as platforms from '../links.ts';

/**
 * Readers of parameters that accept links. Each returns the meaning of a link, or throws an error with the reason that
 * the link has none.
 */
export type LinkReaders = readonly ((link: string) => unknown)[];

/** The readers of parameters that accept links, by platform ID. Platforms have the names of their folders. */
export const readers: Readonly<Record<string, LinkReaders>> = Object.fromEntries(
  await Promise.all(
    Object.entries(platforms).map(async ([folder, { id }]) => {
      const own = (await import(`../${folder}/testing/link-readers.ts`)) as { readonly readers: LinkReaders };
      return [id, own.readers] as const;
    }),
  ),
);
