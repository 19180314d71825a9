/** @module-tag long */

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { generatedPages } from './generated-pages.ts';

const root = new URL('../', import.meta.url);

test.each(Object.entries(generatedPages))('%s is up to date (npm run docs)', async (name, make) => {
  expect(await readFile(new URL(name, root), 'utf8')).toBe(await make(root));
});
