import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { settingsPage } from './settings-page.ts';

test('docs/settings.md is up to date (npm run docs)', async () => {
  expect(await readFile(new URL('../docs/settings.md', import.meta.url), 'utf8')).toBe(settingsPage());
});
