import { readFile } from 'node:fs/promises';

/** Returns the indented command blocks below a heading of a document in `docs/`, in order. */
export async function documentedCommands(document: string, heading: string): Promise<string[]> {
  const text = await readFile(new URL(`../../docs/${document}`, import.meta.url), 'utf8');
  const [, section] = text.split(`# ${heading}\n`);
  if (section === undefined) throw new Error(`docs/${document} has no heading "${heading}"`);
  const [own = ''] = section.split(/^#/m);
  return [...own.matchAll(/(?:^ {4}.*\n)+/gm)].map(([block]) => block);
}
