import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../database/database.ts';
import { openTestDatabase } from '../../database/testing/test-database.ts';
import { missingFile } from '../../storage/lost-file-error.ts';
import type { Storage } from '../../storage/storage.ts';
import { type FileChecks, startFileChecks } from './file-checks.ts';
import type { FileCheck } from './metrics-port.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');
let database: Database;
let checks: FileChecks | undefined;
/** Content of the store by key; an error fails the read. */
let store: Map<string, string | Error>;
let results: FileCheck[];
/** Whether the store itself is unavailable. */
let away: boolean;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.query('delete from render_jobs');
  store = new Map();
  results = [];
  away = false;
});
afterEach(async () => {
  await checks?.close();
  checks = undefined;
});

/** Adds a job that is done. `hash`: its stored hash; `age`: seconds since its last check. */
async function add(key: string, content: string | Error, { hash, age }: { hash?: string; age?: number } = {}) {
  store.set(key, content);
  await database.query(
    `insert into render_jobs (id, owner, state, ttl, expires_at, file_key, file_size, file_sha256, file_checked_at)
     values ($1, 'me', 'done', 1, now() + interval '1 hour', $1, 6, $2, now() - $3::integer * interval '1 second')`,
    [key, hash ?? null, age ?? null],
  );
}

/** Starts checks; `rate` is the maximum number of bytes per second for comparisons. */
function start(rate = 1_000_000, read?: Storage['read']) {
  const storage: Pick<Storage, 'read' | 'check' | 'storedAt'> = {
    read:
      read ??
      (async (key) => {
        const content = store.get(key);
        if (content === undefined) throw missingFile(key);
        if (content instanceof Error) throw content;
        return Readable.from([Buffer.from(content)]);
      }),
    async check() {
      if (away) throw new Error('the store is not mounted');
    },
    storedAt: async () => undefined,
  };
  checks = startFileChecks({
    sql: database,
    storage: storage as Storage,
    metrics: { filesLost: () => undefined, fileChecked: (result) => results.push(result) },
    log: { error: () => undefined },
    rate,
    interval: 100,
    busy: () => true,
  });
  return checks;
}

async function row(key: string) {
  const [row] = await database.query<{ state: string; file_sha256: string | null }>(
    'select state, error_code, file_sha256 from render_jobs where id = $1',
    [key],
  );
  return row;
}

test('computes missing hashes of files, including those from before the start', async () => {
  await add('one', 'a film');
  await add('two', 'a song');
  start(0);
  await expect.poll(() => results).toEqual(['hashed', 'hashed']);
  expect(await row('one')).toMatchObject({ state: 'done', file_sha256: sha256('a film') });
  expect(await row('two')).toMatchObject({ state: 'done', file_sha256: sha256('a song') });
});

test('hashes a new file when the worker reports it', async () => {
  const { wake } = start(0);
  await add('one', 'a film');
  wake();
  await expect.poll(() => results).toEqual(['hashed']);
});

test('compares files after the interval, oldest check first, and reports damaged ones as lost', async () => {
  await add('recent', 'a fxlm', { hash: sha256('a film'), age: 50 });
  await add('old', 'a film', { hash: sha256('a film'), age: 200 });
  await add('oldest', 'a fxlm', { hash: sha256('a film'), age: 300 });
  start();
  await expect.poll(() => results).toEqual(['lost', 'intact']);
  expect(await row('oldest')).toMatchObject({ state: 'failed', error_code: 'file_lost' });
  expect(await row('old')).toMatchObject({ state: 'done' });
  expect(await row('recent')).toMatchObject({ state: 'done' });
});

test('compares nothing if the rate is 0', async () => {
  await add('old', 'a fxlm', { hash: sha256('a film'), age: 200 });
  await add('one', 'a film');
  start(0);
  await expect.poll(() => results).toEqual(['hashed']);
  expect(await row('old')).toMatchObject({ state: 'done' });
});

test('reports a missing file as lost, but not one that cannot be read', async () => {
  await add('gone', 'a film');
  store.delete('gone');
  await add('unreadable', Object.assign(new Error('i/o error'), { code: 'EIO' }), { hash: sha256('a film'), age: 200 });
  start();
  await expect.poll(() => results.toSorted()).toEqual(['lost', 'unreadable']);
  expect(await row('gone')).toMatchObject({ state: 'failed', error_code: 'file_lost' });
  expect(await row('unreadable')).toMatchObject({ state: 'done' });
});

test('ignores a difference that disappears when the file is read again', async () => {
  await add('one', '', { hash: sha256('a film'), age: 200 });
  const contents = ['a fxlm', 'a film'];
  start(1_000_000, async () => Readable.from([Buffer.from(contents.shift() ?? '')]));
  await expect.poll(() => results).toEqual(['intact']);
});

test('does not read the same file on two nodes', async () => {
  for (const key of ['one', 'two', 'three', 'four']) await add(key, 'a film');
  const first = start(0);
  start(0);
  await expect.poll(() => results.length).toBe(4);
  await first.close();
  expect(results).toEqual(['hashed', 'hashed', 'hashed', 'hashed']);
});

test('releases the file of a stopping node, and the next node claims it', async () => {
  await add('one', 'a film');
  const { promise: started, resolve } = Promise.withResolvers<void>();
  const checks = start(0, async () => {
    resolve();
    return new Readable({ read: () => undefined });
  });
  await started;
  await checks.close();
  start(0);
  await expect.poll(() => results).toEqual(['hashed']);
});

test('counts no file as checked during an outage of the store or after a stop during a comparison', async () => {
  await add('old', 'a film', { hash: sha256('a film'), age: 200 });
  await add('older', 'a film', { hash: sha256('a film'), age: 300 });
  await add('new', 'a film');
  const checkedAt = () => database.query('select id, file_checked_at from render_jobs order by id');
  const before = await checkedAt();
  away = true;
  let reads = 0;
  const { close } = start(1_000_000, async (key) => {
    reads += 1;
    if (key === 'new') throw missingFile(key);
    throw new Error('the store does not respond');
  });
  // Each loop reads one file, and then pauses.
  await expect.poll(() => reads).toBe(2);
  await expect.poll(checkedAt).toEqual(before);
  await close();
  const { promise: started, resolve } = Promise.withResolvers<void>();
  const checks = start(1_000_000, async () => {
    resolve();
    return new Readable({ read: () => undefined });
  });
  await started;
  await checks.close();
  expect([reads, results, await checkedAt()]).toEqual([2, [], before]);
});

test('hashes a new file while another one is compared', async () => {
  await add('old', 'a film', { hash: sha256('a film'), age: 200 });
  const { promise: started, resolve } = Promise.withResolvers<void>();
  const { wake } = start(1_000_000, async (key) => {
    if (key === 'new') return Readable.from([Buffer.from('a film')]);
    resolve();
    return new Readable({ read: () => undefined });
  });
  await started;
  await add('new', 'a film');
  wake();
  await expect.poll(() => results).toEqual(['hashed']);
});
