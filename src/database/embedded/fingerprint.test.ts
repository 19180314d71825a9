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

it('isUnchanged returns false before the first clean shutdown', async () => {
  expect(await isUnchanged(folder)).toBe(false);
});

it('isUnchanged returns true while nobody changes a file', async () => {
  await saveFingerprint(folder);
  expect([await isUnchanged(folder), await isUnchanged(folder)]).toEqual([true, true]);
});

it.each<[string, (table: string) => Promise<unknown>]>([
  ['written', (table) => appendFile(table, 'more')],
  ['truncated', (table) => truncate(table, 1)],
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
])('isUnchanged returns false after a file was %s', async (_what, change) => {
  await saveFingerprint(folder);
  await change(join(folder, 'base', 'table'));
  expect(await isUnchanged(folder)).toBe(false);
});

it('isUnchanged returns false for a copy with the same file times', async () => {
  await saveFingerprint(folder);
  const copy = join(parent, 'copy', 'database');
  await cp(folder, copy, { recursive: true, preserveTimestamps: true });
  await cp(`${folder}.unchanged`, `${copy}.unchanged`);
  expect(await isUnchanged(copy)).toBe(false);
});
