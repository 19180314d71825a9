import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parseCommand } from './command-line/parse.ts';
import { commands } from './commands.ts';
import { exitCodes } from './errors/exit-codes.ts';

const pages = ['docs/cli.md', 'README.md'];

async function readPage(page: string): Promise<string> {
  return await readFile(new URL(`../../${page}`, import.meta.url), 'utf8');
}

/** The words of a line as a shell makes them, up to a pipe or a remark. */
function wordsOf(line: string): string[] {
  const [before = ''] = line.split(/ [|#] /);
  return [...before.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

test.each(pages)('every command of %s is one, with options that it has', async (page) => {
  const lines = [...(await readPage(page)).matchAll(/^ {4}(?:.* )?millrace (?:-- )?(.*)$/gm)];
  expect(lines.length).toBeGreaterThan(0);
  for (const [, line = ''] of lines) {
    const [name, ...words] = wordsOf(line);
    const command = commands.find((each) => each.name === name);
    if (command === undefined) throw new Error(`${page}: there is no command ${name}`);
    expect(() => parseCommand(command, words), line).not.toThrow();
  }
});

test('the page tells every command and every number that one ends with', async () => {
  const page = await readPage('docs/cli.md');
  for (const { name } of commands) expect(page).toMatch(new RegExp(`^\\| \`${name}[ \`]`, 'm'));
  for (const { code, description } of Object.values(exitCodes)) expect(page).toContain(`| ${code} | ${description} |`);
});
