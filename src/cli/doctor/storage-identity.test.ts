/** @module-tag long */

import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Config, readConfig } from '../../config.ts';
import { openEmbeddedDatabase } from '../../database/embedded/embedded-database.ts';
import { migrate } from '../../database/migrate.ts';
import { putEmptyDatabase } from '../../database/testing/test-database.ts';
import { verifyStore } from '../../render/store-check/verify-store.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { adoptStore, reconcileStore } from './repairs.ts';
import { checkStore } from './storage-identity.ts';

/** What a service with a snapshot has left behind. Starting one takes half a second of work. */
let stopped: string;
let folder: string;
let config: Config;
beforeAll(async () => {
  await makeFolder();
  await putEmptyDatabase(config.DATA_DIR);
  await asService((database) => database.snapshot());
  stopped = folder;
});
beforeEach(makeFolder);
afterEach(() => rm(folder, { recursive: true, force: true }));
afterAll(() => rm(stopped, { recursive: true, force: true }));

async function makeFolder(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'millrace-doctor-store-'));
  config = readConfig({ DATA_DIR: join(folder, 'data'), STORAGE_URL: `file:${store()}` });
}

const takeStopped = () => cp(stopped, folder, { recursive: true });

const store = () => join(folder, 'store');
const mark = () => join(store(), 'store.json');
const log = pino({ level: 'silent' });
const { signal } = new AbortController();

/** Opens and marks the store as a service does, then calls `work` with the database. */
async function asService(
  work: (sql: Awaited<ReturnType<typeof openEmbeddedDatabase>>) => Promise<void>,
): Promise<void> {
  const database = await openEmbeddedDatabase(config.DATA_DIR, log);
  try {
    await migrate(database);
    const storage = await openStorage({ folder: store() });
    await verifyStore(database, storage, store(), log);
    await work(database);
  } finally {
    await database.close();
  }
}

const nothing = async () => undefined;

const check = async () =>
  (await checkStore(config, signal)).map(({ state, what, mend = '' }) => `${state}: ${what} ${mend}`);

test('checkStore distinguishes new, marked and foreign stores', async () => {
  await putEmptyDatabase(config.DATA_DIR);
  expect(await check()).toEqual([expect.stringMatching(/^fine: .+ will be created and marked at the first start/)]);
  await rm(config.DATA_DIR, { recursive: true });
  await takeStopped();
  expect(await check()).toEqual([expect.stringMatching(/^fine: .+ has the mark of this database/)]);
  const text = await readFile(mark(), 'utf8');
  await rm(mark());
  expect(await check()).toEqual([expect.stringMatching(/^wrong: .+ has no mark .+--adopt-store/)]);
  await writeFile(mark(), text.replace(/"database": "[^"]+"/, `"database": "${randomUUID()}"`));
  expect(await check()).toEqual([expect.stringMatching(/^wrong: .+ belongs to another database.+--adopt-store/)]);
  await rm(store(), { recursive: true });
  expect(await check()).toEqual([
    expect.stringMatching(/^wrong: .+ does not exist, but the database has a marked store/),
  ]);
});

test('checkStore reports an unreadable mark, even if the database never had a store', async () => {
  await putEmptyDatabase(config.DATA_DIR);
  await mkdir(mark(), { recursive: true });
  expect(await check()).toEqual([expect.stringMatching(/^wrong: .+ has an unreadable mark .+--adopt-store/)]);
});

test('checkStore and adoptStore do not touch the data of a running service', async () => {
  await takeStopped();
  await asService(async () => {
    expect(await check()).toEqual([]);
    await expect(adoptStore(config, signal)).rejects.toThrow(/Another Millrace process uses/);
  });
});

test('adoptStore adopts a store only once', async () => {
  await takeStopped();
  await rm(mark());
  expect(await adoptStore(config, signal)).toMatchObject([
    { state: 'fine', what: expect.stringContaining('had no mark') },
    { state: 'fine', what: expect.stringContaining('now has the mark of this database') },
  ]);
  expect(await adoptStore(config, signal)).toMatchObject([
    { state: 'fine', what: expect.stringContaining('already has the mark of this database') },
  ]);
  await asService(nothing);
});

test('reconcileStore ends many jobs without a file, which checkStore only reports', async () => {
  await takeStopped();
  await asService(async (sql) => {
    await sql.query(
      `insert into render_jobs (id, owner, state, ttl, file_key, expires_at)
       select 'job-' || n, 'me', 'done', 1, gen_random_uuid()::text, now() + interval '1 hour' from generate_series(1, 5) as n`,
    );
  });
  expect(await check()).toEqual([
    expect.stringMatching(/^fine/),
    expect.stringMatching(/^note: 0 of 0 stored files have no job, and 5 of 5 finished jobs have no file.+--reconcile/),
  ]);
  expect(await reconcileStore(config, signal)).toMatchObject([
    { what: expect.stringMatching(/^0 stored files/) },
    { what: '5 jobs have no file and were ended' },
  ]);
  expect(await check()).toEqual([expect.stringMatching(/^fine/)]);
});

test('reconcileStore refuses the store of another database', async () => {
  await takeStopped();
  await rm(store(), { recursive: true });
  await mkdir(store());
  await expect(reconcileStore(config, signal)).rejects.toThrow(/has no mark/);
});

test.each([
  ['adopted', adoptStore],
  ['reconciled', reconcileStore],
])("with a damaged database, a store is not %s and the database's snapshot is not restored", async (_, repair) => {
  await takeStopped();
  await rm(join(config.DATA_DIR, 'database', 'PG_VERSION'));
  const names = async () => (await readdir(config.DATA_DIR)).filter((name) => !name.startsWith('lock')).toSorted();
  const before = await names();
  await expect(repair(config, signal)).rejects.toThrow(
    /is damaged: PG_VERSION is missing, and nothing was changed\..+millrace restore/,
  );
  expect(await names()).toEqual(before);
});

test('reconcileStore reports after a timeout that it can be repeated', async () => {
  await takeStopped();
  expect(await reconcileStore(config, AbortSignal.abort(new DOMException('', 'TimeoutError')))).toMatchObject([
    { state: 'wrong', what: expect.stringContaining('timed out'), mend: expect.stringContaining('--reconcile') },
  ]);
});

test('adoptStore does not create a missing database', async () => {
  const nowhere = readConfig({ DATA_DIR: join(folder, 'none'), STORAGE_URL: `file:${store()}` });
  await expect(adoptStore(nowhere, signal)).rejects.toThrow(/no database.+Start the service once/);
});
