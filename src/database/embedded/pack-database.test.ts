/** @module-tag long */

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { putEmptyDatabase } from '../testing/test-database.ts';
import { databaseFolderOf } from './database-folder.ts';
import { openEngineOn } from './open-engine.ts';
import { packDatabase } from './pack-database.ts';
import { unpackSnapshot } from './snapshot.ts';

let directory: string;
let folder: string;
let engine: PGlite;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-pack-'));
  await putEmptyDatabase(directory);
  folder = databaseFolderOf(directory);
  engine = await openEngineOn(folder);
  onTestFinished(async () => {
    await engine.close();
    await rm(directory, { recursive: true });
  });
});

const add = (name: string) => engine.query('insert into service_facts (name, value) values ($1, $1)', [name]);

test('a copy contains everything committed before it was started, and only the log that it needs', async () => {
  for (const name of ['a', 'b', 'c', 'd']) {
    await add(name);
    await engine.exec('select pg_switch_wal()');
  }
  const archive = await packDatabase(engine, folder);
  // A write does not wait for the reader.
  await add('later');
  await writeFile(join(directory, 'copy.tgz'), archive);
  const copy = join(directory, 'copy');
  await unpackSnapshot(join(directory, 'copy.tgz'), copy);
  const segments = (await readdir(join(copy, 'pg_wal'))).filter((name) => /^[0-9A-F]{24}$/.test(name));
  expect(segments.length).toBeLessThanOrEqual(2);
  const opened = await openEngineOn(copy);
  const { rows } = await opened.query('select name from service_facts order by name');
  await opened.close();
  expect(rows).toEqual(['a', 'b', 'c', 'd'].map((name) => ({ name })));
});

test.each([
  ['too little disk is free', { free: async () => 100_000_000 }, /temporarily needs .+ Free space/],
  ['it is aborted', { signal: AbortSignal.abort() }, /aborted/],
])('if %s, no copy is made and the database keeps working', async (_name, limits, words) => {
  await expect(packDatabase(engine, folder, limits)).rejects.toThrow(words);
  await add('later');
  expect(await readdir(directory)).toEqual(['database']);
});

test('a copy contains every file and folder with its content, regardless of size', async () => {
  const unpacked = join(directory, 'copy');
  await mkdir(join(folder, 'empty'));
  await writeFile(join(folder, 'nothing'), '');
  for (const size of [1, 511, 65_536, 65_537, 3_000_000])
    await writeFile(join(folder, `of-${size}`), Buffer.alloc(size, 'content'));
  await engine.exec('checkpoint');
  await writeFile(join(directory, 'copy.tgz'), await packDatabase(engine, folder));
  await unpackSnapshot(join(directory, 'copy.tgz'), unpacked);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  expect((await readdir(unpacked, { recursive: true })).toSorted()).toEqual(
    entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name))).toSorted(),
  );
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
    const path = relative(folder, join(parentPath, name));
    expect((await readFile(join(unpacked, path))).equals(await readFile(join(folder, path))), path).toBe(true);
  }
});
