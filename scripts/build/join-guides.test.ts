import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { guides, joinGuides } from './join-guides.ts';

const folder = new URL('../../docs/guides/', import.meta.url);

test('the API reference has every guide', async () => {
  expect((await readdir(folder)).toSorted()).toEqual(guides.map((name) => `${name}.md`).toSorted());
});

test('each guide begins with its title, and no two headings of all guides are the same', async () => {
  const headings = [...(await joinGuides(folder)).matchAll(/^#+ (.+)$/gm)].map(([, title]) => title);
  expect(headings.length).toBeGreaterThan(guides.length);
  expect(new Set(headings).size).toBe(headings.length);
  for (const name of guides) expect(await readFile(new URL(`${name}.md`, folder), 'utf8')).toMatch(/^# [A-Za-z ]+\n/);
});

test('links between guides lead to sections of the reference, and other files are named', async () => {
  const text = await joinGuides(folder);
  const titles = [...text.matchAll(/^# (.+)$/gm)].map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-'));
  const targets = [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, target = '']) => target);
  expect(targets).not.toEqual([]);
  for (const target of targets) expect(titles.map((title) => `#description/${title}`)).toContain(target);
  expect(text).toContain('Webhooks (`docs/reference/webhooks.md`)');
  expect(text).toContain('changelog (`CHANGELOG.md`)');
});
