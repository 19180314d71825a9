import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Node, parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { hasOnlyLongTests } from '../test/support/long-files.ts';
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

/** Sections about what the specification does not require. `npm test` may leave out all tests of their rows. */
const beyond = [
  'Clips, additions and encoding',
  'Nodes that come and go',
  'Links that die, beyond the contract',
  "Delivery to the caller's store, beyond the contract",
  'Webhooks and previews, beyond the contract',
  'Geography and source policy',
  'Many nodes on one database',
  'Operation, beyond the contract',
  'Test mode',
  'AI assistants',
  'Client library',
  'Page',
  'Command line',
  'Upgrades',
  'Documents',
];

/** Rows of the other sections that the specification does not require either. */
const beyondRows = [
  'HLS that is processed while it downloads, and its failures',
  'Mixed kinds of jobs with random faults, which leave nothing behind',
  'A store that is silent or fails during a download: 503, or the connection ends. A file that the store has lost',
  'A result that cannot be stored',
  'An outage of the store: jobs wait, and those above the queue limit fail as they do at capacity. A waiting result can be cancelled, and is stored after a restart without downloading again',
  'Credits after a crash',
  '`millrace keys` and its errors',
  'Backups, restored to the same data directory; files that are not backups',
  'A kill in any stage',
];

/** Rows about several nodes, whose tests need PostgreSQL. */
const severalNodes = [
  "The final event arrives immediately on any node, or by polling while the node's listening database connection is cut",
  'Streams end with 1001, or with `retry:`, when their node stops, and resume on another node at the same URL',
  'Cancelling on another node, on a suspended worker, and on all nodes concurrently',
];

test('`npm test` proves each row of the specification, by at least one test that runs on any machine', () => {
  const sections = page.split(/^### /m).slice(1);
  const titles = sections.map((section) => section.slice(0, section.indexOf('\n')));
  expect(beyond.filter((title) => !titles.includes(title))).toEqual([]);
  const rows = sections
    .filter((_, index) => !beyond.includes(titles[index] ?? ''))
    .flatMap((section) => [...section.matchAll(/^\| (.*?) \|.*\| (.*?) \|$|^\| (.*?) \| (.*?) \|$/gm)])
    .map((match) => ({ row: match[1] ?? match[3] ?? '', cell: match[2] ?? match[4] ?? '' }))
    .filter(({ row, cell }) => cell.includes('`') && ![...beyondRows, ...severalNodes].includes(row));
  expect(rows.length).toBeGreaterThan(150);
  expect(rows.filter(({ cell }) => !hasShortTest(cell)).map(({ row }) => row)).toEqual([]);
});

/** Returns whether `npm test` runs one of the tests that a cell names. */
function hasShortTest(cell: string): boolean {
  const { files, quotations } = readCell(cell);
  const quoted = new Set(quotations.map(({ file }) => file));
  return (
    quotations.some(
      ({ file, title }) => !longTitlesOf(file).some((long) => long === title || long.startsWith(title)),
    ) || files.some((file) => !quoted.has(file) && !isLong(file))
  );
}

/** Returns whether `npm test` may leave out a whole file: it has the tag `long`, or needs PostgreSQL. */
function isLong(file: string): boolean {
  const path = join(root, file);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  return hasOnlyLongTests(path) || /^describe\.skipIf\([^)]*TEST_DATABASE_URL/m.test(readFileSync(path, 'utf8'));
}

/** Returns the titles with the tag `long` in a file, and those inside them. */
function longTitlesOf(file: string): readonly string[] {
  const path = join(root, file);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return [];
  if (isLong(file)) return [...titlesOf(file)];
  const titles: string[] = [];
  visit(parseSync(path, readFileSync(path, 'utf8')).program, false);
  return titles;

  function visit(node: Node, isInside: boolean): void {
    const title = testTitle(node);
    const isTagged = isInside || (title !== undefined && hasLongTag(node));
    if (isTagged && title !== undefined) titles.push(...textsOf(title));
    for (const child of childNodes(node)) visit(child, isTagged);
  }
}

/** Returns whether the options of a test or a group contain the tag `long`. */
function hasLongTag(node: Node): boolean {
  if (node.type !== 'CallExpression') return false;
  const [, options] = node.arguments;
  return (
    options?.type === 'ObjectExpression' &&
    options.properties.some(
      (one) => one.type === 'Property' && one.key.type === 'Identifier' && one.key.name === 'tags',
    )
  );
}

/** Reads the file names and quotations in the last column of each table. */
function readReferences(): { files: string[]; quotations: Quotation[] } {
  const references = { files: [] as string[], quotations: [] as Quotation[] };
  for (const [, cell = ''] of page.matchAll(/^\|.*\| (.*?) \|$/gm)) {
    const { files, quotations } = readCell(cell);
    references.files.push(...files);
    references.quotations.push(...quotations);
  }
  return references;
}

/** Reads the file names and quotations in a cell. */
function readCell(cell: string): { files: string[]; quotations: Quotation[] } {
  const references = { files: [] as string[], quotations: [] as Quotation[] };
  let file: string | undefined;
  for (const [, name, title] of cell.matchAll(/`([^`]+)`|"([^"]*)"/g)) {
    if (name !== undefined) {
      file = pathOf(name, file);
      references.files.push(file);
    } else if (title !== undefined) references.quotations.push({ file: file ?? '', title });
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
    for (const text of textsOf(node)) titles.add(text);
  }
}

/** Returns the text of a string, with placeholders. */
function textsOf(node: Node): readonly string[] {
  if (node.type === 'Literal' && typeof node.value === 'string') return [node.value];
  if (node.type === 'TemplateLiteral') return [node.quasis.map(({ value }) => value.cooked).join('%s')];
  return [];
}
