import * as platforms from '../links.ts';
import type { LinkReaders } from './link-readers.ts';

interface LinkSamples {
  readonly links: readonly string[];
  readonly readers: LinkReaders;
}

// Platforms are registered by the names of their folders.
const samples = await Promise.all(
  Object.entries(platforms).map(
    async ([folder, { id }]) => [id, (await import(`../${folder}/testing/links.ts`)) as LinkSamples] as const,
  ),
);

/** Every form of link that a platform's site has used, by the platform's id. */
export const links: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  samples.map(([id, one]) => [id, one.links]),
);

/** The readers of parameters that may be links, by the platform's id. */
export const readers: Readonly<Record<string, LinkReaders>> = Object.fromEntries(
  samples.map(([id, one]) => [id, one.readers]),
);

/** Links that only look like one, or hold it in them. */
export function disguised(link: string): readonly string[] {
  const { host, pathname, search } = new URL(link);
  return [
    `https://other.example/${link}`,
    `https://other.example/?u=${encodeURIComponent(link)}`,
    `https://${host}@other.example${pathname}${search}`,
    `https://${host}.other.example${pathname}${search}`,
    `https://other${host.split('.').slice(-2).join('.')}${pathname}${search}`,
  ];
}
