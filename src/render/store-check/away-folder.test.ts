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

/** As a network mount that reports an error for everything. */
const goAway = () => symlink('store', store);

test('a node starts without the folder of its store, and uses it once it is back', async () => {
  await take();
  await rename(store, `${store}.away`);
  await goAway();
  const storage = await take();
  await expect(storage.check()).rejects.toThrow(/ELOOP/);
  await rm(store);
  await rename(`${store}.away`, store);
  await storage.check();
});

test('a service that never had a store does not start without its folder', async () => {
  await goAway();
  await expect(take()).rejects.toThrow(StartError);
  await expect(take()).rejects.toThrow(/the-store cannot be used: its symbolic links lead in a circle/);
});
