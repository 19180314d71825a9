/** @module-tag long */

import fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { asynchronousCommit } from '../asynchronous-commit.ts';
import type { Database } from '../database.ts';
import {
  closeIdleDatabases,
  openEmptyEmbeddedDatabase,
  openTestDatabase,
  putEmptyDatabase,
} from '../testing/test-database.ts';
import { openEmbeddedDatabase } from './embedded-database.ts';
import { snapshotPathOf } from './snapshot.ts';

const isEmbedded = (process.env.TEST_STACK ?? 'embedded') === 'embedded';

let database: Database;

beforeAll(async () => {
  // Only the files of this test's database may be flushed here.
  await closeIdleDatabases();
  database = isEmbedded ? await openEmptyEmbeddedDatabase() : await openTestDatabase();
});
afterAll(() => database.close());

type Fsync = (descriptor: number, callback: (error: Error | null) => void) => void;

/** Replaces the fsync that runs in the background. */
function replaceFsync(replacement: Fsync) {
  const spy = vi.spyOn(fs, 'fsync').mockImplementation(replacement as typeof fs.fsync);
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return spy;
}

/** The disk of a busy machine is slow. */
const patient = { timeout: 60_000 };

const add = (name: string) => database.query('insert into service_facts (name, value) values ($1, $1)', [name]);

test.runIf(isEmbedded)('a commit, and reads after it, wait for the disk', async () => {
  const waiting: (() => void)[] = [];
  const original = fs.fsync;
  replaceFsync((descriptor, callback) => waiting.push(() => original(descriptor, callback)));
  const settled: string[] = [];
  const write = add('written').then(() => settled.push('write'));
  await vi.waitFor(() => expect(waiting).toHaveLength(1), patient);
  const fileFound = Promise.withResolvers<void>();
  const read = database
    .transaction(async (sql) => {
      expect(await sql.query(`select name from service_facts where name = 'written'`)).toHaveLength(1);
      fileFound.resolve();
    })
    .then(() => settled.push('read'));
  await fileFound.promise;
  expect(settled).toEqual([]);
  waiting[0]?.();
  await Promise.all([write, read]);
});

test.runIf(isEmbedded)(
  'an error in a transaction waits for the disk flush, because the data that it reports may not be stored yet',
  async () => {
    const waiting: (() => void)[] = [];
    const original = fs.fsync;
    replaceFsync((descriptor, callback) => waiting.push(() => original(descriptor, callback)));
    const settled: string[] = [];
    const write = add('unflushed').then(() => settled.push('write'));
    await vi.waitFor(() => expect(waiting).toHaveLength(1), patient);
    const failing = database
      .transaction(() => Promise.reject(new Error('no such name')))
      .catch(() => settled.push('error'));
    const hasRolledBack = Promise.withResolvers<void>();
    const next = database.transaction(async (sql) => {
      await sql.query('select 1');
      hasRolledBack.resolve();
    });
    await hasRolledBack.promise;
    expect(settled).toEqual([]);
    waiting[0]?.();
    await Promise.all([write, failing, next]);
  },
);

test.runIf(isEmbedded)('a timer flushes commits that did not wait for the disk', async () => {
  const idle = await openEmptyEmbeddedDatabase();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  onTestFinished(() => idle.close());
  const original = fs.fsync;
  const fsync = replaceFsync((descriptor, callback) => original(descriptor, callback));
  await idle.query(`insert into service_facts select 'idle', '' from ${asynchronousCommit}`);
  expect(fsync).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  await vi.waitFor(() => expect(fsync).toHaveBeenCalledOnce(), patient);
});

test.runIf(isEmbedded)('concurrent commits share one fsync call', async () => {
  const original = fs.fsync;
  const fsync = replaceFsync((descriptor, callback) => original(descriptor, callback));
  await Promise.all(Array.from({ length: 50 }, (_, number) => add(`together ${number}`)));
  expect(fsync.mock.calls.length).toBeLessThan(25);
});

test.runIf(isEmbedded)('after a disk failure the process ends and writes nothing more', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-disk-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await putEmptyDatabase(folder);
  const ends: string[] = [];
  const broken = await openEmbeddedDatabase(folder, pino({ level: 'silent' }), {
    end: (message) => ends.push(message),
  });
  await broken.snapshot();
  const before = fs.statSync(snapshotPathOf(folder)).mtimeMs;
  const refusal = Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', syscall: 'fsync' });
  const fsync = replaceFsync((_descriptor, callback) => callback(refusal));
  await expect(broken.query(`insert into service_facts (name, value) values ('a', 'b')`)).rejects.toThrow('EIO');
  expect(ends).toEqual([expect.stringMatching(/cannot continue.+EIO: i\/o error.+Check the disk.+is lost\.$/)]);
  fsync.mockRestore();
  syncBuiltinESMExports();
  await expect(broken.query('select 1')).rejects.toThrow('EIO');
  await expect(broken.query('checkpoint')).rejects.toThrow();
  await expect(broken.snapshot()).rejects.toThrow('EIO');
  expect(fs.statSync(snapshotPathOf(folder)).mtimeMs).toBe(before);
  await broken.close().catch(() => undefined);
});
