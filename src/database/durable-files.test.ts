import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from './testing.ts';

const isEmbedded = (process.env.TEST_STACK ?? 'embedded') === 'embedded';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

type Fsync = (descriptor: number, done: (error: Error | null) => void) => void;

/** Replaces the fsync that runs in the background, for a test. */
function replaceFsync(replacement: Fsync) {
  const spy = vi.spyOn(fs, 'fsync').mockImplementation(replacement as typeof fs.fsync);
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return spy;
}

const add = (name: string) => database.query('insert into service_facts (name, value) values ($1, $1)', [name]);

test.runIf(isEmbedded)('a commit, and what is read after it, waits for the disk', async () => {
  const waiting: (() => void)[] = [];
  const original = fs.fsync;
  replaceFsync((descriptor, done) => waiting.push(() => original(descriptor, done)));
  const settled: string[] = [];
  const write = add('written').then(() => settled.push('write'));
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  const found = Promise.withResolvers<void>();
  const read = database
    .transaction(async (sql) => {
      expect(await sql.query(`select name from service_facts where name = 'written'`)).toHaveLength(1);
      found.resolve();
    })
    .then(() => settled.push('read'));
  await found.promise;
  expect(settled).toEqual([]);
  waiting[0]?.();
  await Promise.all([write, read]);
});

test.runIf(isEmbedded)('commits that wait at the same time share an fsync', async () => {
  const original = fs.fsync;
  const fsync = replaceFsync((descriptor, done) => original(descriptor, done));
  await Promise.all(Array.from({ length: 50 }, (_, number) => add(`together ${number}`)));
  expect(fsync.mock.calls.length).toBeLessThan(25);
});

test.runIf(isEmbedded)('once the disk has failed, every call fails', async () => {
  const broken = await openTestDatabase();
  onTestFinished(() => broken.close());
  const fsync = replaceFsync((_descriptor, done) => done(new Error('EIO')));
  await expect(broken.query(`insert into service_facts (name, value) values ('a', 'b')`)).rejects.toThrow('EIO');
  fsync.mockRestore();
  syncBuiltinESMExports();
  await expect(broken.query('select 1')).rejects.toThrow('EIO');
});
