import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';

/** Files of the guides, in the order in which the API reference shows them. */
export const guides = [
  'authentication',
  'pagination',
  'errors-and-retries',
  'idempotency',
  'rate-limits',
  'rendering',
  'clips-and-tags',
  'webhooks',
  'healing',
  'versioning',
] as const;

/** A link to a file: its text, its target, and an anchor in the target. */
const fileLink = /\[([^\]]*)\]\((?!https?:)([^)#\s]*)(#[^)\s]*)?\)/g;

/**
 * Joins the guides to one text for the API reference. A link to another guide leads to its section. The service does
 * not serve other files of the documentation, so their links become their texts and paths.
 *
 * @param folder Folder of the guides, `docs/guides/`.
 * @throws Error if a guide does not begin with its title.
 */
export async function joinGuides(folder: URL): Promise<string> {
  const texts = await Promise.all(guides.map((name) => readFile(new URL(`${name}.md`, folder), 'utf8')));
  const titles = new Map(texts.map((text, at) => [`${guides[at]}.md`, titleOf(text)]));
  return texts.map((text) => text.replace(fileLink, (_, ...link) => linkText(link, titles)).trim()).join('\n\n');
}

function linkText(
  [words = '', path = '', anchor = '']: readonly string[],
  titles: ReadonlyMap<string, string>,
): string {
  const title = titles.get(path);
  if (title !== undefined) return `[${words}](#description/${anchor.slice(1) || slug(title)})`;
  return `${words} (\`${posix.join('docs/guides', path)}\`)`;
}

function titleOf(text: string): string {
  const [, title] = /^# (.+)$/m.exec(text) ?? [];
  if (title === undefined) throw new Error('A guide has no title. Begin it with a line such as "# Pagination".');
  return title;
}

/** Returns the name of a heading in links. The titles of guides have only letters and spaces. */
function slug(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}
