import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { platformSettings } from '../src/platforms/index.ts';

const page = await readFile(new URL('../docs/reference/platform-settings.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/^ {4}(P\d_\w+)='(.+)'$/gm)].map(([, name = '', json = '']) => ({ name, json }));

test('the page on platform settings has an example of every setting', () => {
  expect([...new Set(examples.map(({ name }) => name))].sort()).toEqual(Object.keys(platformSettings));
});

test.each(examples)('the service accepts the example $name=$json', ({ name, json }) => {
  const setting = Object.entries(platformSettings).find(([one]) => one === name)?.[1];
  expect(setting?.read(json)).not.toEqual(setting?.fallback());
});
