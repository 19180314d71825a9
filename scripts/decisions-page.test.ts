import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** A decision fits on about one screen. Longer explanations belong in `docs/explanation/`. */
const MAX_LINES = 60;

const folder = new URL('../docs/decisions/', import.meta.url);
const decisions = globSync('[0-9]*.md', { cwd: folder })
  .toSorted()
  .map((file) => ({ file, text: readFileSync(new URL(file, folder), 'utf8') }));

test('decisions are numbered without gaps', () => {
  expect(decisions.map(({ file }) => Number(file.slice(0, 4)))).toEqual(decisions.map((_, index) => index + 1));
});

describe.each(decisions)('decision $file', ({ file, text }) => {
  test('begins with its number, title and date', () => {
    expect(text).toMatch(/^# \d+\. .+\n\n\d{4}-\d\d-\d\d\n\n## /);
  });

  test('is named after its number and title', () => {
    const [, number = '', title = ''] = /^# (\d+)\. (.+)/.exec(text) ?? [];
    const words = title.toLowerCase().replaceAll(/[^a-z0-9 ]/g, '');
    expect(file).toBe(`${number.padStart(4, '0')}-${words.replaceAll(' ', '-')}.md`);
  });

  test('has the sections of the template in order', () => {
    const headings = [...text.matchAll(/^#{2,} .*$/gm)].map(([heading]) => heading);
    expect(headings).toEqual(['## Context', '## Decision', '## Consequences', '## Alternatives']);
  });

  test('has text in each section', () => {
    expect(text).not.toMatch(/^## .*\n+(?:## |$(?![\s\S]))/m);
  });

  test(`has at most ${MAX_LINES} lines`, () => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES);
  });
});
