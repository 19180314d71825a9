import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parseCommand } from './command-line/parse.ts';
import { commands } from './commands.ts';
import { exitCodes } from './errors/exit-codes.ts';

const pages = ['docs/reference/cli.md', 'README.md'];

async function readPage(page: string): Promise<string> {
  return await readFile(new URL(`../../${page}`, import.meta.url), 'utf8');
}

/** Splits a line into words as a shell does, up to a pipe or a comment. */
function wordsOf(line: string): string[] {
  const [before = ''] = line.split(/ [|#] /);
  return [...before.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

test.each(pages)('every command in %s exists and has the given options', async (page) => {
  const lines = [...(await readPage(page)).matchAll(/^ {4}(?:.* )?millrace (?:-- )?(.*)$/gm)];
  expect(lines.length).toBeGreaterThan(0);
  for (const [, line = ''] of lines) {
    const [name, ...words] = wordsOf(line);
    const command = commands.find((each) => each.name === name);
    if (command === undefined) throw new Error(`${page}: unknown command ${name}`);
    expect(() => parseCommand(command, words), line).not.toThrow();
  }
});

test('docs/reference/cli.md lists every command and exit code', async () => {
  const page = await readPage('docs/reference/cli.md');
  for (const { name } of commands) expect(page).toMatch(new RegExp(`^\\| \`${name}[ \`]`, 'm'));
  for (const { code, description } of Object.values(exitCodes)) expect(page).toContain(`| ${code} | ${description} |`);
});
