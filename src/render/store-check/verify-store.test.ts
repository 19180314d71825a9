/** @module-tag long */

import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { StartError } from '../../contract/start-error.ts';
import { openTestDatabase, type TestDatabase } from '../../database/testing/test-database.ts';
import { openDiskStorage } from '../../storage/disk-storage.ts';
import { findMark, markText, StoreMismatchError } from '../../storage/identity-mark.ts';
import type { Storage } from '../../storage/storage.ts';
import { ensureIdentity, readIdentity } from './store-identity.ts';
import { verifyStore } from './verify-store.ts';

let folder: string;
let database: TestDatabase;
let storage: Storage;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-verify-store-'));
  database = await openTestDatabase();
  storage = await openDiskStorage(join(folder, 'store'));
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const log = pino({ level: 'silent' });
const take = () => verifyStore(database, storage, 'the-store', log);

async function store(key: string): Promise<void> {
  const path = join(folder, key);
  await writeFile(path, 'a film');
  await storage.put(key, path, { size: 6, signal: AbortSignal.timeout(60_000), onProgress: () => undefined });
}

/** Stores files, and adds done jobs for some of them and for others that are not stored. */
async function fill({ known = 0, unknown = 0, missing = 0 }): Promise<void> {
  const keys = Array.from({ length: known + missing }, () => randomUUID());
  await database.query(
    `insert into render_jobs (id, owner, state, ttl, file_key, expires_at)
     select key, 'me', 'done', 1, key, now() + interval '1 hour' from unnest($1::text[]) as key`,
    [keys],
  );
  for (const key of keys.slice(0, known)) await store(key);
  for (let count = 0; count < unknown; count += 1) await store(randomUUID());
}

const markOfStore = async () => (await findMark(storage))?.database;

test.each([
  ['empty store of an empty database', {}],
  ['store with the files of the jobs', { known: 3 }],
  ['store with few unknown and few missing files', { known: 3, unknown: 1, missing: 1 }],
])('adopts an unmarked %s', async (_, files) => {
  await fill(files);
  await take();
  const identity = await readIdentity(database);
  expect(identity).toEqual({ database: await markOfStore(), hasMarkedStore: true });
  await take();
  expect(await readIdentity(database)).toEqual(identity);
});

test.each([
  ['files without jobs', { unknown: 1 }, /1 of 1 files are unknown/],
  ['more unknown files than a few', { known: 10, unknown: 2 }, /2 of 12 files are unknown/],
  ['no files, but jobs that have some', { missing: 1 }, /1 of 1 expected files are missing/],
  ['half of the expected files', { known: 2, missing: 2 }, /2 of 4 expected files are missing/],
])('rejects an unmarked store with %s, and writes nothing', async (_, files, words) => {
  await fill(files);
  await expect(take()).rejects.toThrow(StoreMismatchError);
  await expect(take()).rejects.toThrow(words);
  expect(await markOfStore()).toBeUndefined();
});

test('rejects a store without a mark once the database had a marked one', async () => {
  await take();
  await fill({ known: 2 });
  await rm(join(folder, 'store', 'store.json'));
  await expect(take()).rejects.toThrow(/the-store has no mark.+[Aa] mount is probably missing.+doctor --adopt-store/);
  expect(await markOfStore()).toBeUndefined();
});

test('rejects a store of another database, even if both are empty', async () => {
  const other = randomUUID();
  await storage.writeMark(markText(other), { replace: false });
  await expect(take()).rejects.toThrow(`its mark names ${other}`);
  await take().catch(() => undefined);
  expect(await markOfStore()).toBe(other);
});

test.each(['', '{}', '{"database":7}', '{"database":"x"}'])('rejects a store with the mark %j', async (text) => {
  await writeFile(join(folder, 'store', 'store.json'), text);
  await expect(take()).rejects.toThrow(/unreadable mark/);
  expect(await readFile(join(folder, 'store', 'store.json'), 'utf8')).toBe(text);
});

test('rejects an empty store of another database with a suitable message if the database expects no files', async () => {
  await storage.writeMark(markText(randomUUID()), { replace: false });
  await expect(take()).rejects.toThrow(/belongs to another database.+it is empty, and the database expects no files/);
});

describe('a failed comparison', () => {
  const failing = (keys: Storage['keys']) => verifyStore(database, { ...storage, keys }, 'the-store', log);
  const rejectingKeys: Storage['keys'] = () => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('AccessDenied')) }),
  });
  test('is reported with its remedy', async () => {
    await expect(failing(rejectingKeys)).rejects.toThrow(StartError);
    await expect(failing(rejectingKeys)).rejects.toThrow(
      /the-store .+ compared .+: AccessDenied\. .+doctor --adopt-store/,
    );
    expect(await markOfStore()).toBeUndefined();
  });

  test('ends if the store stops responding', async () => {
    const over = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(over.signal);
    onTestFinished(() => timeout.mockRestore());
    const next = () => {
      over.abort();
      return Promise.withResolvers<never>().promise;
    };
    const taking = failing(() => ({ [Symbol.asyncIterator]: () => ({ next }) }));
    await expect(taking).rejects.toThrow(StartError);
    await expect(taking).rejects.toThrow(/: it took longer than 10 minutes\. .+doctor --adopt-store/);
  });
});

test('reports a store that accepts no mark', async () => {
  const writeMark = () => Promise.reject(Object.assign(new Error('EROFS: read-only'), { code: 'EROFS' }));
  const taking = verifyStore(database, { ...storage, writeMark }, 'the-store', log);
  await expect(taking).rejects.toThrow(StartError);
  await expect(taking).rejects.toThrow(/^The store the-store cannot be used: its file system is read-only\./);
});

test('changes the ID of a database that was restored from a copy without an ID to the ID in the mark of its store', async () => {
  const before = randomUUID();
  await storage.writeMark(markText(before), { replace: false });
  await fill({ known: 2 });
  await take();
  expect(await readIdentity(database)).toEqual({ database: before, hasMarkedStore: true });
});

test('lets only one of two databases adopt an empty store concurrently', async () => {
  const other = await openTestDatabase();
  const outcomes = await Promise.allSettled([take(), verifyStore(other, storage, 'the-store', log)]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const [winner] = outcomes[0]?.status === 'fulfilled' ? [database] : [other];
  expect(await markOfStore()).toBe((await ensureIdentity(winner)).database);
  await other.close();
});

test('lets two nodes of a database use its store', async () => {
  const other = await database.openAnother();
  await Promise.all([take(), verifyStore(other, storage, 'the-store', log)]);
  await other.close();
  expect(await markOfStore()).toBe((await ensureIdentity(database)).database);
});

describe('an unavailable store', () => {
  const away = () => ({
    ...storage,
    readMark: () => Promise.reject(new Error('connect ECONNREFUSED')),
  });

  test('does not prevent the start of a service whose database knows it, and is verified once it is back', async () => {
    await take();
    let isAway = true;
    const readMark = () => (isAway ? away().readMark() : storage.readMark());
    const guardedStorage = await verifyStore(database, { ...storage, readMark }, 'the-store', log);
    await expect(guardedStorage.check()).rejects.toThrow('ECONNREFUSED');
    isAway = false;
    await guardedStorage.check();
    await storage.writeMark(markText(randomUUID()), { replace: true });
    await expect(guardedStorage.check()).rejects.toThrow(StoreMismatchError);
  });

  test.each([
    ['that does not respond', new Error('no answer'), /does not respond/],
    ['that refuses access', Object.assign(new Error('no'), { $metadata: { httpStatusCode: 403 } }), /refuses access/],
  ])('is logged as one %s', async (_, error, words) => {
    await take();
    const lines: string[] = [];
    const errorLog = pino({ level: 'error' }, { write: (line: string) => lines.push(line) });
    await verifyStore(database, { ...storage, readMark: () => Promise.reject(error) }, 'the-store', errorLog);
    expect(lines).toEqual([expect.stringMatching(words)]);
  });

  test('is reported if the service never had a store', async () => {
    const taking = verifyStore(database, away(), 'the-store', log);
    await expect(taking).rejects.toThrow(StartError);
    await expect(taking).rejects.toThrow(/^The store the-store cannot be used: connect ECONNREFUSED\./);
  });
});

test('a store that loses its mark accepts no files, and fails its check', async () => {
  const guardedStorage = await take();
  await guardedStorage.check();
  await rm(join(folder, 'store', 'store.json'));
  await expect(guardedStorage.check()).rejects.toThrow(StoreMismatchError);
  const path = join(folder, 'film');
  await writeFile(path, 'a film');
  const call = { size: 6, signal: AbortSignal.timeout(60_000), onProgress: () => undefined };
  await expect(guardedStorage.put(randomUUID(), path, call)).rejects.toThrow(StoreMismatchError);
  expect(await readFile(path, 'utf8')).toBe('a film');
});

test('stores a file even if the mark cannot be read afterwards', async () => {
  await take();
  const path = join(folder, 'film');
  await writeFile(path, 'a film');
  let reads = 0;
  const readMark = async () => {
    reads += 1;
    // The mark is read at the start, and before and after a file is stored.
    if (reads === 3) throw new Error('ESTALE');
    return await storage.readMark();
  };
  const guardedStorage = await verifyStore(database, { ...storage, readMark }, 'the-store', log);
  const key = randomUUID();
  await guardedStorage.put(key, path, { size: 6, signal: AbortSignal.timeout(60_000), onProgress: () => undefined });
  expect([reads, await storage.storedAt(key)]).toEqual([3, expect.any(Date)]);
});
