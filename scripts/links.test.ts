import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type MarkdownPage, readMarkdown } from './markdown.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const folders = ['bench', 'chaos', 'deploy', 'docs', 'lab', 'packages', 'src', 'test'];
const sources = globSync(['*.ts', ...[...folders, 'scripts'].map((folder) => `${folder}/**/*.ts`)], { cwd: root });
const pages = new Map<string, MarkdownPage>(
  globSync(['*.md', ...folders.map((folder) => `${folder}/**/*.md`)], { cwd: root })
    .toSorted()
    .map((page) => [page, readMarkdown(readFileSync(join(root, page), 'utf8'))]),
);

/** Returns the targets of a page's links within the project: a path from its root, and a heading. */
function targetsOf(page: string): { readonly link: string; readonly path: string; readonly anchor: string }[] {
  const links = pages.get(page)?.links ?? [];
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path = '', anchor = ''] = link.split('#', 2);
      return { link, anchor, path: path === '' ? page : normalize(join(dirname(page), decodeURI(path))) };
    });
}

describe.each([...pages.keys()])('%s', (page) => {
  test('links only to existing files and headings', () => {
    const broken = targetsOf(page).filter(({ path, anchor }) => {
      if (path.startsWith('..') || !existsSync(join(root, path))) return true;
      return anchor !== '' && pages.get(path)?.anchors.includes(anchor) !== true;
    });
    expect(broken.map(({ link }) => link)).toEqual([]);
  });

  test('names only existing files and folders', () => {
    const text = readFileSync(join(root, page), 'utf8');
    // The lab also has MPEG-TS segments with this extension.
    const named = [...text.matchAll(/(?<![\w*>.:-])[a-z][\w./-]*\.ts\b/g)].map(([file]) => file);
    const files = named.filter((file) => !/\b(?:seg-\d+|all)\.ts$/.test(file));
    const paths = [...text.matchAll(/`((?:src|lab|test|scripts|bench|chaos|deploy|docs)\/[\w./-]*)`/g)];
    expect(files.filter((file) => !sources.some((source) => `/${source}`.endsWith(`/${file}`)))).toEqual([]);
    expect(paths.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

test('every page is reachable from the README', () => {
  const reachable = new Set(['README.md']);
  for (const page of reachable) {
    for (const { path } of targetsOf(page)) {
      // A link to a folder also reaches the pages in it.
      const inside = path.endsWith('/') ? [...pages.keys()].filter((other) => other.startsWith(path)) : [];
      for (const one of [path, ...inside]) if (pages.has(one)) reachable.add(one);
    }
  }
  expect([...pages.keys()].filter((page) => !reachable.has(page))).toEqual([]);
});
