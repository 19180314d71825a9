import { appendFile, cp, mkdir, mkdtemp, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isUnchanged, saveFingerprint } from './fingerprint.ts';

let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'millrace-unchanged-'));
  folder = join(parent, 'database');
  await mkdir(join(folder, 'base'), { recursive: true });
  await writeFile(join(folder, 'base', 'table'), 'rows');
  await writeFile(join(folder, 'PG_VERSION'), '18');
});
afterEach(() => rm(parent, { recursive: true }));

it('is not known before the first orderly stop', async () => {
  expect(await isUnchanged(folder)).toBe(false);
});

it('is so as long as nobody touches a file', async () => {
  await saveFingerprint(folder);
  expect([await isUnchanged(folder), await isUnchanged(folder)]).toEqual([true, true]);
});

it.each<[string, (table: string) => Promise<unknown>]>([
  ['written', (table) => appendFile(table, 'more')],
  ['cut off', (table) => truncate(table, 1)],
  ['removed', (table) => rm(table)],
  ['added', (table) => writeFile(`${table}2`, '')],
  [
    'replaced by one of the same length and age',
    async (table) => {
      await writeFile(`${table}.new`, 'rows');
      await utimes(`${table}.new`, 1, 1);
      await rename(`${table}.new`, table);
    },
  ],
])('is not so once a file was %s', async (_what, change) => {
  await saveFingerprint(folder);
  await change(join(folder, 'base', 'table'));
  expect(await isUnchanged(folder)).toBe(false);
});

it('is not so in a copy that kept its times', async () => {
  await saveFingerprint(folder);
  const copy = join(parent, 'copy', 'database');
  await cp(folder, copy, { recursive: true, preserveTimestamps: true });
  await cp(`${folder}.unchanged`, `${copy}.unchanged`);
  expect(await isUnchanged(copy)).toBe(false);
});
