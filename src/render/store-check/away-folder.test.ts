import { mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StartError } from '../../contract/start-error.ts';
import { openTestDatabase, type TestDatabase } from '../../database/testing/test-database.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { verifyStore } from './verify-store.ts';

let folder: string;
let store: string;
let database: TestDatabase;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-away-folder-'));
  store = join(folder, 'store');
  database = await openTestDatabase();
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const take = async () =>
  verifyStore(database, await openStorage({ folder: store }), 'the-store', pino({ level: 'silent' }));

/** Simulates a network mount that reports an error for every call. */
const goAway = () => symlink('store', store);

test('starts a node without the folder of its store, and uses the folder once it is back', async () => {
  await take();
  await rename(store, `${store}.away`);
  await goAway();
  const storage = await take();
  await expect(storage.check()).rejects.toThrow(/ELOOP/);
  await rm(store);
  await rename(`${store}.away`, store);
  await storage.check();
});

test('rejects the start of a service that never had a store if its folder is missing', async () => {
  await goAway();
  await expect(take()).rejects.toThrow(StartError);
  await expect(take()).rejects.toThrow(/the-store cannot be used: its symbolic links form a loop/);
});
