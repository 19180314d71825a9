import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../database/testing/test-database.ts';
import type { Storage } from '../../storage/storage.ts';
import { deleteFiles } from './file-deletions.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.query('delete from file_deletions');
});

const log = pino({ level: 'silent' });
const { signal } = new AbortController();

/** A store in which some files cannot be deleted. */
function openStore(stubborn: ReadonlySet<string>) {
  const store = { deletedKeys: [] as string[], atOnce: 0, mostAtOnce: 0, hasMark: true };
  const storage: Pick<Storage, 'delete' | 'check'> = {
    async delete(key) {
      store.atOnce += 1;
      store.mostAtOnce = Math.max(store.mostAtOnce, store.atOnce);
      await new Promise(setImmediate);
      store.atOnce -= 1;
      if (stubborn.has(key)) throw new Error('not permitted');
      store.deletedKeys.push(key);
    },
    async check() {
      if (!store.hasMark) throw new Error('another store');
    },
  };
  // Sweeping uses only these methods.
  return { store, storage: storage as Storage };
}

async function add(count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, () => randomUUID());
  await database.query('insert into file_deletions (file_key) select unnest($1::text[])', [keys]);
  return keys;
}

/** Returns the files to delete, and the seconds between a time and the next attempt to delete each of them. */
async function readDeletions(since = new Date()): Promise<{ file_key: string; attempts: number; wait: number }[]> {
  return await database.query(
    `select file_key, attempts, extract(epoch from next_try_at - $1::timestamptz)::double precision as wait
     from file_deletions`,
    [since],
  );
}

/** Expects a wait that was counted from the end of an attempt that began at a time. */
function expectWait(wait: number | undefined, seconds: number, since: Date): void {
  const passed = (Date.now() - since.getTime()) / 1_000;
  // The time of the database may have been rounded.
  expect(wait).toBeGreaterThan(seconds - 0.1);
  expect(wait).toBeLessThan(seconds + passed + 0.1);
}

/** Whether the next attempt may be made now. */
const isDue = (wait: number) => wait <= 0.1;

test('does not delay other files if 500 files cannot be deleted', async () => {
  const stubborn = await add(500);
  const others = await add(20);
  const { store, storage } = openStore(new Set(stubborn));
  const since = new Date();
  await deleteFiles({ sql: database, storage, log }, signal);
  expect(store.deletedKeys.toSorted()).toEqual(others.toSorted());
  expect(store.mostAtOnce).toBe(8);
  const rest = await readDeletions(since);
  expect(rest.length).toBe(500);
  for (const { attempts, wait } of rest) {
    expect(attempts).toBe(1);
    expectWait(wait, 10, since);
  }
});

test('retries a deletion at growing intervals of up to an hour and a half', async () => {
  const [key = ''] = await add(1);
  const { storage } = openStore(new Set([key]));
  for (const seconds of [10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 5120, 5120]) {
    await database.query('update file_deletions set next_try_at = now()');
    const since = new Date();
    await deleteFiles({ sql: database, storage, log }, signal);
    expectWait((await readDeletions(since))[0]?.wait, seconds, since);
  }
});

test('does not delete the same files on two nodes', async () => {
  const keys = await add(300);
  const { store, storage } = openStore(new Set());
  const other = await database.openAnother();
  await Promise.all([database, other].map((sql) => deleteFiles({ sql, storage, log }, signal)));
  await other.close();
  expect(store.deletedKeys.toSorted()).toEqual(keys.toSorted());
  expect(await readDeletions()).toEqual([]);
});

test('deletes nothing in a store without the mark of this database', async () => {
  await add(3);
  const { store, storage } = openStore(new Set());
  store.hasMark = false;
  await expect(deleteFiles({ sql: database, storage, log }, signal)).rejects.toThrow('another store');
  expect([store.deletedKeys, (await readDeletions()).map(({ attempts }) => attempts)]).toEqual([[], [0, 0, 0]]);
});

test('does not count files hidden by a lost mount as deleted', async () => {
  await add(500);
  const { store, storage } = openStore(new Set());
  const losing = {
    ...storage,
    async delete(key: string) {
      if (store.deletedKeys.length === 250) store.hasMark = false;
      await storage.delete(key);
    },
  };
  await expect(deleteFiles({ sql: database, storage: losing, log }, signal)).rejects.toThrow('another store');
  const rest = await readDeletions();
  // The first batch was deleted; the second one is immediately due again.
  expect([rest.length, store.deletedKeys.length]).toEqual([300, 400]);
  for (const { attempts, wait } of rest) expect([attempts, wait]).toEqual([0, expect.toSatisfy(isDue)]);
});

test('does not wait for a store that does not respond when a node stops, and releases undeleted files', async () => {
  await add(20);
  const { promise: started, resolve } = Promise.withResolvers<void>();
  const { storage } = openStore(new Set());
  const silent = {
    ...storage,
    delete() {
      resolve();
      return new Promise<void>(() => undefined);
    },
  };
  const stop = new AbortController();
  const sweeping = deleteFiles({ sql: database, storage: silent, log }, stop.signal);
  await started;
  stop.abort(new Error('the node stops'));
  await expect(sweeping).rejects.toThrow('the node stops');
  const rest = await readDeletions();
  expect(rest).toHaveLength(20);
  for (const { attempts, wait } of rest) expect([attempts, wait]).toEqual([0, expect.toSatisfy(isDue)]);
});

test('does not wait for a check of a store that does not respond when a node stops', async () => {
  await add(1);
  const { promise: started, resolve } = Promise.withResolvers<void>();
  const { storage } = openStore(new Set());
  const silent = {
    ...storage,
    check() {
      resolve();
      return new Promise<void>(() => undefined);
    },
  };
  const stop = new AbortController();
  const sweeping = deleteFiles({ sql: database, storage: silent, log }, stop.signal);
  await started;
  stop.abort(new Error('the node stops'));
  await expect(sweeping).rejects.toThrow('the node stops');
});
