import * as platforms from '../links.ts';
import type { LinkForms } from './link-forms.ts';
import type { LinkReaders } from './link-readers.ts';

interface LinkSamples {
  readonly forms: readonly LinkForms[];
  readonly readers: LinkReaders;
}

// Platforms are registered under the names of their folders.
const samples = await Promise.all(
  Object.entries(platforms).map(
    async ([folder, { id }]) => [id, (await import(`../${folder}/testing/links.ts`)) as LinkSamples] as const,
  ),
);

/** Every link format that a platform's site has used, with what the links name, by platform ID. */
export const forms: Readonly<Record<string, readonly LinkForms[]>> = Object.fromEntries(
  samples.map(([id, one]) => [id, one.forms]),
);

/** The links of {@link forms}. */
export const links: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  samples.map(([id, one]) => [id, one.forms.flatMap((form) => form.links)]),
);

/** The readers of parameters that accept links, by platform ID. */
export const readers: Readonly<Record<string, LinkReaders>> = Object.fromEntries(
  samples.map(([id, one]) => [id, one.readers]),
);

/** Returns links that only look like the given link, or that contain it. */
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
