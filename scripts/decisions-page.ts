import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/**
 * The index of decisions, made from their files.
 *
 * @throws Error when one does not begin with its number, title and date.
 */
export async function decisionsPage(root: URL): Promise<string> {
  const folder = new URL('docs/decisions/', root);
  const files = globSync('[0-9]*.md', { cwd: folder }).toSorted();
  const rows = files.map(async (file) => rowOf(file, await readFile(new URL(file, folder), 'utf8')));
  return `<!-- Made by "npm run docs" from the files beside it. -->

# Decisions

What was decided where more than one way was open: what was chosen, why, what it costs, and how to undo it. One file for
each, numbered as they came; one that is replaced stays, and says by which.

| | Decision | Date |
|---|---|---|
${(await Promise.all(rows)).join('\n')}
`;
}

function rowOf(file: string, text: string): string {
  const [, number, title, date] = /^# (\d+)\. (.*)\n\n(\d{4}-\d\d-\d\d)\n/.exec(text) ?? [];
  if (title === undefined) throw new Error(`${file} does not begin with its number, its title and its date.`);
  return `| ${number} | [${title}](${file}) | ${date} |`;
}
