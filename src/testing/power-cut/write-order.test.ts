/** @module-tag long */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseFolderOf } from '../../database/embedded/database-folder.ts';
import { openEngineOn } from '../../database/embedded/open-engine.ts';
import { putEmptyDatabase } from '../../database/testing/test-database.ts';
import { type Recording, recordDisk } from './record-disk.ts';

/** The engine's path of its folder (pglite 0.5.16). */
const ROOT = '/pglite/data';

let folder: string;
let recording: Recording;
let engine: PGlite;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-order-'));
  await putEmptyDatabase(folder);
  recording = recordDisk(databaseFolderOf(folder));
  engine = await openEngineOn(databaseFolderOf(folder));
});
afterAll(async () => {
  await engine.close();
  recording.stop();
  await rm(folder, { recursive: true });
});

type Files = PGlite['Module']['FS'];

/** Returns the disk operations of `work`. */
async function operationsOf(work: () => unknown): Promise<string[]> {
  const before = recording.operations.length;
  await work();
  return recording.operations.slice(before).map(({ kind }) => kind);
}

let commits = 0;
function commit() {
  commits += 1;
  return engine.query(`insert into service_facts (name, value) values ('name ${commits}', '')`);
}

/** Overwrites the first byte of a file. */
function write(files: Files, file: string): void {
  const stream = files.open(file, 'r+');
  files.write(stream, new Uint8Array(1), 0, 1, 0);
  files.close(stream);
}

function truncateOpen(files: Files, file: string): void {
  const stream = files.open(file, 'r+');
  files.ftruncate(stream.fd ?? 0, 0);
  files.close(stream);
}

test.each<[string, string, (files: Files, file: string) => void]>([
  ['written', 'write', write],
  ['truncated', 'truncate', (files, file) => files.truncate(file, 0)],
  ['truncated while it is open', 'truncate', truncateOpen],
  ['renamed', 'rename', (files, file) => files.rename(file, `${file} renamed`)],
  ['deleted', 'unlink', (files, file) => files.unlink(file)],
])('the log is on disk before another file is %s', async (name, kind, change) => {
  const { FS: files } = engine.Module;
  const file = `${ROOT}/${name}`;
  files.writeFile(file, 'content');
  expect(await operationsOf(commit)).not.toContain('flush');
  expect(await operationsOf(() => change(files, file))).toEqual(['flush', kind]);
});

test('the first fsync of a new file includes its folder entry', async () => {
  const { FS: files } = engine.Module;
  const stream = files.open(`${ROOT}/new`, 'w+');
  const fsync = () => stream.stream_ops.fsync(stream);
  expect(await operationsOf(fsync)).toEqual(['flush', 'flush folder']);
  expect(await operationsOf(fsync)).toEqual(['flush']);
});

test('the folder entry of an unlogged table is on disk as soon as it is created', async () => {
  const { FS: files } = engine.Module;
  expect(await operationsOf(() => files.open(`${ROOT}/1_init`, 'w+'))).toEqual(['link', 'flush folder']);
});
