import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/**
 * Returns the index of decisions, generated from their files.
 *
 * @throws Error if a file does not begin with its number, title and date.
 */
export async function decisionsPage(root: URL): Promise<string> {
  const folder = new URL('docs/decisions/', root);
  const files = globSync('[0-9]*.md', { cwd: folder }).toSorted();
  const rows = files.map(async (file) => rowOf(file, await readFile(new URL(file, folder), 'utf8')));
  return `<!-- Made by "npm run docs" from the files beside it. -->

# Decisions

This page lists the design decisions of Millrace, for contributors who want to know why a part works as it does. Each
decision has the same sections:

- **Context**: the problem, and why it needed a decision
- **Decision**: the choice, how it works, and where it is in the code
- **Consequences**: what it gains and costs, known traps, and how to undo it
- **Alternatives**: what was rejected, and why

Details of a mechanism are on the linked pages. The files are numbered in chronological order. A replaced decision is
kept and names its replacement.

| | Decision | Date |
|---|---|---|
${(await Promise.all(rows)).join('\n')}
`;
}

function rowOf(file: string, text: string): string {
  const [, number, title, date] = /^# (\d+)\. (.*)\n\n(\d{4}-\d\d-\d\d)\n/.exec(text) ?? [];
  if (title === undefined) throw new Error(`${file} does not begin with its number, title and date.`);
  return `| ${number} | [${title}](${file}) | ${date} |`;
}
