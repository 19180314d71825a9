/** @module-tag long */

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Sql } from '../../database/database.ts';
import { openTestDatabase, type TestDatabase } from '../../database/testing/test-database.ts';
import { openDiskStorage } from '../../storage/disk-storage.ts';
import type { Storage } from '../../storage/storage.ts';
import { reconcile } from './reconcile.ts';
import { verifyStore } from './verify-store.ts';

let folder: string;
let database: TestDatabase;
let storage: Storage;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-reconcile-'));
  database = await openTestDatabase();
  storage = await verifyStore(database, await openDiskStorage(join(folder, 'store')), 'the-store', log);
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const log = pino({ level: 'silent' });
const { signal } = new AbortController();
const run = (unlimited = false) => reconcile({ sql: database, storage, log, signal, unlimited });

const DAY_S = 86_400;
const pathOf = (key: string) => join(folder, 'store', key.slice(0, 2), key);

/** Stores files with an age in seconds. */
async function store(count: number, age: number): Promise<string[]> {
  const keys = Array.from({ length: count }, () => randomUUID());
  const at = Date.now() / 1000 - age;
  for (const key of keys) {
    const path = join(folder, key);
    await writeFile(path, 'a film');
    await storage.put(key, path, { size: 6, signal: AbortSignal.timeout(60_000), onProgress: () => undefined });
    await utimes(pathOf(key), at, at);
  }
  return keys;
}

async function addJobs(keys: readonly string[], state = 'done'): Promise<void> {
  await database.query(
    `insert into render_jobs (id, owner, state, ttl, file_key, run, expires_at)
     select key, 'me', $2, 1, case when $2 = 'done' then key end, case when $2 <> 'done' then key::uuid end,
       now() + interval '1 hour'
     from unnest($1::text[]) as key`,
    [keys, state],
  );
}

const missingKeys = (count: number) => Array.from({ length: count }, () => randomUUID());

async function deletions(): Promise<string[]> {
  const rows = await database.query<{ file_key: string }>('select file_key from file_deletions order by file_key');
  return rows.map(({ file_key: key }) => key);
}

/** Returns the number of jobs that are done. */
async function jobs(): Promise<number> {
  return (await database.query(`select 1 from render_jobs where state = 'done'`)).length;
}

test('deletes a file without a job once it is a day old', async () => {
  await addJobs(await store(3, 2 * DAY_S));
  await addJobs(await store(1, 2 * DAY_S), 'uploading_output');
  await store(1, DAY_S - 60);
  const [old = ''] = await store(1, DAY_S + 60);
  expect(await run()).toEqual({ removed: { files: 1, jobs: 0 }, withheld: { files: 0, jobs: 0 } });
  expect(await deletions()).toEqual([old]);
});

test('keeps young files, however many there are', async () => {
  await store(30, 60);
  expect(await run()).toEqual({ removed: { files: 0, jobs: 0 }, withheld: { files: 0, jobs: 0 } });
});

test('ends a job whose file is missing', async () => {
  await addJobs(await store(3, 0));
  await addJobs(missingKeys(1));
  expect(await run()).toMatchObject({ removed: { files: 0, jobs: 1 } });
  expect(await jobs()).toBe(3);
});

test('does not delete more files than the limit, unless the operator allows it', async () => {
  await addJobs(await store(10, 2 * DAY_S));
  const old = await store(2, 2 * DAY_S);
  expect(await run()).toEqual({ removed: { files: 0, jobs: 0 }, withheld: { files: 2, jobs: 0 } });
  expect(await deletions()).toEqual([]);
  expect(await run(true)).toEqual({ removed: { files: 2, jobs: 0 }, withheld: { files: 0, jobs: 0 } });
  expect(await deletions()).toEqual(old.toSorted());
  // Files whose deletion is pending no longer count.
  expect(await run()).toMatchObject({ withheld: { files: 0 } });
});

test('does not end more jobs than the limit, unless the operator allows it', async () => {
  await addJobs(await store(10, 0));
  await addJobs(missingKeys(2));
  expect(await run()).toMatchObject({ removed: { jobs: 0 }, withheld: { files: 0, jobs: 2 } });
  expect(await jobs()).toBe(12);
  expect(await run(true)).toMatchObject({ removed: { jobs: 2 }, withheld: { jobs: 0 } });
  expect(await jobs()).toBe(10);
});

test('deletes nothing in a store that has lost its mark', async () => {
  await addJobs(await store(1, 0));
  await addJobs(missingKeys(1));
  await store(1, 2 * DAY_S);
  await rm(join(folder, 'store', 'store.json'));
  await expect(run(true)).rejects.toThrow(/has no mark/);
  expect([await jobs(), await deletions()]).toEqual([2, []]);
});

test('ends no job if a mount returns while its files are compared', async () => {
  await addJobs(await store(1, 0));
  const { signal: never } = new AbortController();
  const emptyAtFirst: Storage = {
    ...storage,
    async *keys() {
      // The mount disappears and returns.
    },
  };
  const { removed } = await reconcile({ sql: database, storage: emptyAtFirst, log, signal: never });
  expect([removed.jobs, await jobs()]).toEqual([0, 1]);
});

test('does not count jobs that expire during the look-up as jobs without a file', async () => {
  await addJobs(await store(1, 0));
  const keys = missingKeys(3);
  await addJobs(keys);
  const slow: Storage = {
    ...storage,
    async storedAt(key) {
      await database.query('delete from render_jobs where file_key = any($1)', [keys]);
      return await storage.storedAt(key);
    },
  };
  const { removed, withheld } = await reconcile({ sql: database, storage: slow, log, signal });
  expect([removed, withheld]).toEqual([
    { files: 0, jobs: 0 },
    { files: 0, jobs: 0 },
  ]);
});

test('ends no job if a mount is lost during the look-up', async () => {
  await addJobs(await store(3, 0));
  await addJobs(missingKeys(1));
  const losing: Storage = {
    ...storage,
    async storedAt(key) {
      await rm(join(folder, 'store', 'store.json'), { force: true });
      return await storage.storedAt(key);
    },
  };
  await expect(reconcile({ sql: database, storage: losing, log, signal })).rejects.toThrow(/has no mark/);
  expect(await jobs()).toBe(4);
});

describe('a large difference', () => {
  /** Counts concurrent look-ups, and keys per statement. */
  function watch(afterLookups = Number.POSITIVE_INFINITY) {
    const stop = new AbortController();
    const calls = { lookups: 0, atOnce: 0, mostAtOnce: 0, mostKeys: 0 };
    const countingStorage: Storage = {
      ...storage,
      async storedAt(key) {
        calls.lookups += 1;
        if (calls.lookups > afterLookups) stop.abort(new Error('the time is over'));
        calls.atOnce += 1;
        calls.mostAtOnce = Math.max(calls.mostAtOnce, calls.atOnce);
        const at = await storage.storedAt(key);
        calls.atOnce -= 1;
        return at;
      },
    };
    const sql: Sql = {
      query(text, parameters = []) {
        const [keys] = parameters;
        if (/^(?:insert|with)/.test(text) && Array.isArray(keys))
          calls.mostKeys = Math.max(calls.mostKeys, keys.length);
        return database.query(text, parameters);
      },
    };
    return {
      calls,
      run: () => reconcile({ sql, storage: countingStorage, log, signal: stop.signal, unlimited: true }),
    };
  }

  test('is removed in batches, with several concurrent look-ups', async () => {
    await addJobs(missingKeys(1_100));
    const { calls, run: removeAll } = watch();
    expect(await removeAll()).toMatchObject({ removed: { jobs: 1_100 } });
    expect(await jobs()).toBe(0);
    expect(calls).toMatchObject({ lookups: 1_100, mostAtOnce: 8, mostKeys: 500 });
  });

  test('is removed as far as the time allows, and the next run continues', async () => {
    await addJobs(missingKeys(1_100));
    await expect(watch(700).run()).rejects.toThrow('the time is over');
    expect(await jobs()).toBe(600);
    expect(await run(true)).toMatchObject({ removed: { jobs: 600 } });
  });

  test('of more files than one run examines is reported', async () => {
    const all = Array.from({ length: 100_003 }, () => randomUUID());
    const full: Storage = {
      ...storage,
      async *keys() {
        for (let at = 0; at < all.length; at += 10_000) yield all.slice(at, at + 10_000);
      },
      storedAt: async () => new Date(),
    };
    const { withheld } = await reconcile({ sql: database, storage: full, log, signal, unlimited: true });
    expect(withheld).toEqual({ files: 3, jobs: 0 });
  });
});
