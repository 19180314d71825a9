import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { faultTable } from './cdn/faults.ts';
import { fileKinds } from './media/recipes.ts';
import { heights } from './media/titles.ts';
import { scenarios } from './platforms/dailymotion/catalogue.ts';

test('the README names every fault, file, height and documented id', async () => {
  const readme = await readFile(new URL('README.md', import.meta.url), 'utf8');
  const numbered = /^xlabdm0(0[2-9]|1[0-8])$/;
  const names = [
    ...Object.keys(faultTable).map((name) => `\`${name}=`),
    ...Object.keys(fileKinds).map((name) => `\`${name}\``),
    ...heights.map(String),
    ...Object.keys(scenarios)
      .filter((id) => !numbered.test(id))
      .map((id) => `\`${id}\``),
  ];
  expect(names.filter((name) => !readme.includes(name))).toEqual([]);
});
