import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Node, parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { childNodes } from './syntax/child-nodes.ts';
import { testTitle } from './syntax/test-titles.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = 'test/acceptance';
const page = readFileSync(join(root, folder, 'COVERAGE.md'), 'utf8');

/** A quotation of a title, and the file that it is from. */
interface Quotation {
  readonly file: string;
  readonly title: string;
}

const { files, quotations } = readReferences();

test('each file in the last column of a table exists', () => {
  expect(files.length).toBeGreaterThan(500);
  expect([...new Set(files)].filter((file) => globSync(file, { cwd: root }).length === 0)).toEqual([]);
});

test('each quotation is a title in its file, or the unique beginning of one', () => {
  expect(quotations.length).toBeGreaterThan(400);
  const titles = new Map([...new Set(quotations.map(({ file }) => file))].map((file) => [file, titlesOf(file)]));
  const wrong = quotations.filter(({ file, title }) => {
    const all = titles.get(file) ?? new Set();
    return !all.has(title) && [...all].filter((each) => each.startsWith(title)).length !== 1;
  });
  expect(wrong).toEqual([]);
});

/** Reads the file names and quotations in the last column of each table. */
function readReferences(): { files: string[]; quotations: Quotation[] } {
  const references = { files: [] as string[], quotations: [] as Quotation[] };
  for (const [, cell = ''] of page.matchAll(/^\|.*\| (.*?) \|$/gm)) {
    let file: string | undefined;
    for (const [, name, title] of cell.matchAll(/`([^`]+)`|"([^"]*)"/g)) {
      if (name !== undefined) {
        file = pathOf(name, file);
        references.files.push(file);
      } else if (title !== undefined) references.quotations.push({ file: file ?? '', title });
    }
  }
  return references;
}

/** Returns the path of a file from the root of the project. */
function pathOf(name: string, previous: string | undefined): string {
  if (/^(?:packages|scripts|src|test)\//.test(name)) return name;
  if (name.endsWith('.ts')) return join(dirname(previous ?? folder), name);
  return `${join(folder, name)}.test.ts`;
}

/** Returns the titles of a file's tests and the texts in its tables, with placeholders. */
function titlesOf(file: string): ReadonlySet<string> {
  const path = join(root, file);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return new Set();
  const titles = new Set<string>();
  visit(parseSync(path, readFileSync(path, 'utf8')).program);
  return titles;

  function visit(node: Node): void {
    const title = testTitle(node);
    if (title !== undefined) add(title);
    if (node.type === 'ArrayExpression') for (const element of node.elements) if (element !== null) add(element);
    for (const child of childNodes(node)) visit(child);
  }

  function add(node: Node): void {
    if (node.type === 'Literal' && typeof node.value === 'string') titles.add(node.value);
    if (node.type === 'TemplateLiteral') titles.add(node.quasis.map(({ value }) => value.cooked).join('%s'));
  }
}
