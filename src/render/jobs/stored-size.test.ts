import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { type JobDatabase, openJobDatabase, testJob } from '../testing/job-database.ts';
import { failLostFiles } from './lost-files.ts';
import { exceededLimit, readStoredSizes } from './stored-size.ts';
import { tenantOf } from './tenants.ts';

const MB = 1_000_000;
const worker = '00000000-0000-4000-8000-000000000001';
const limits = { atOnce: 100, perDay: 1_000, storedSize: 5 * MB };
let store: JobDatabase;

beforeAll(async () => {
  store = await openJobDatabase(1_000);
});
afterAll(() => store.close());
beforeEach(() => store.clear());

/** Starts a job and ends it with a file of `size` bytes. Returns the key of the file. */
async function finish(id: string, size: number, owner = 'me', options = {}): Promise<string> {
  await store.jobs.start(testJob(id), owner, options);
  const claim = await store.queue.claim(worker);
  const run = claim?.run ?? '';
  await store.queue.complete(run, { key: run, name: `${id}.mp4`, size, link: 'x', notes: [] });
  return run;
}

/** Returns a disk with so much space beyond its reserve. */
const diskOf = (spare: number) => ({ free: spare + 3, reserve: 3 });
const sizesOf = async (owner: string, isVisitor = false) =>
  await readStoredSizes(store.database, tenantOf(owner, isVisitor));
const startWith = (id: string, stored: object, members = {}) =>
  store.jobs.start(testJob(id, members), 'me', { stored });

describe('exceededLimit', () => {
  test.each([
    ['no limit', {}, { own: 9, all: 9 }, 1, undefined],
    ['the quota, which the file reaches', { quota: 10 }, { own: 9, all: 9 }, 2, undefined],
    ['the quota, which is reached', { quota: 10 }, { own: 10, all: 10 }, 1, 10],
    ['half of the disk, which is reached', { disk: diskOf(10) }, { own: 5, all: 12 }, 6, undefined],
    ['half of the disk, which is exceeded', { disk: diskOf(10) }, { own: 5, all: 12 }, 7, 11],
    ['a first file, which may take more than half', { disk: diskOf(10) }, { own: 0, all: 0 }, 11, undefined],
    ['a disk that is full of files of others', { disk: diskOf(0) }, { own: 1, all: 100 }, 1, undefined],
    ['a disk that is full of other data', { disk: diskOf(-50) }, { own: 2, all: 2 }, 1, undefined],
    ['a disk that is full of other data, with more than the reserve', { disk: diskOf(-50) }, { own: 3, all: 3 }, 1, 3],
    ['the lower one of both', { quota: 8, disk: diskOf(10) }, { own: 9, all: 9 }, 1, 8],
  ])('compares with %s', (_case, limit, sizes, bytes, expected) => {
    expect(exceededLimit(limit, sizes, bytes)).toBe(expected);
  });
});

describe('the stored sizes', () => {
  test('are those of the files of an owner, of all visitors together, and of everyone', async () => {
    await finish('one', 3 * MB);
    await finish('two', 4 * MB);
    await finish('theirs', MB, 'other');
    for (const id of ['a', 'b']) await finish(id, 2 * MB, 'page', { visitor: { id, limits } });
    await store.start('unfinished');
    expect(await sizesOf('me')).toEqual({ own: 7 * MB, all: 12 * MB });
    expect(await sizesOf('page', true)).toEqual({ own: 4 * MB, all: 12 * MB });
    expect(await sizesOf('page')).toEqual({ own: 0, all: 12 * MB });
  });

  test('do not change when a job is extended or checked, and no longer have a file that is deleted, lost or expired', async () => {
    const key = await finish('lost', MB);
    for (const id of ['deleted', 'swept', 'kept']) await finish(id, MB);
    await store.jobs.start(testJob('kept', { ttl: 86_400_000 }), 'me');
    await store.database.query('update render_jobs set file_checked_at = now()');
    expect((await sizesOf('me')).own).toBe(4 * MB);
    await store.jobs.deleteFinished('deleted', 'me');
    await failLostFiles(store.database, [key]);
    await store.database.query(`delete from render_jobs where id = 'swept'`);
    expect((await sizesOf('me')).own).toBe(MB);
    await store.jobs.start(testJob('lost'), 'me');
    expect((await sizesOf('me')).own).toBe(MB);
  });

  test('are right after concurrent changes', async () => {
    const owners = ['me', 'other', 'third'];
    const insert = `insert into render_jobs (id, owner, state, ttl, file_key, file_size, expires_at)
      select $1 || n || owner, owner, 'done', 1, $1 || owner || n, 1000 + n, now() + n * interval '1 minute'
      from generate_series(1, 20) as n, unnest($2::text[]) as owner`;
    const changes = [
      `delete from render_jobs where id like $1 || '1%'`,
      `update render_jobs set state = 'failed' where id like $1 || '5%'`,
      `update render_jobs set file_size = file_size + 7 where id like $1 || '%' and owner <> 'me'`,
    ];
    await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (prefix, index) => {
        await store.database.query(insert, [prefix, index % 2 === 0 ? owners : owners.toReversed()]);
        for (const change of changes) await store.database.query(change, [prefix]);
      }),
    );
    const [counted] = await store.database.query<{ sizes: object }>(
      `select json_object_agg(owner, bytes) as sizes from (
         select owner, sum(file_size) as bytes from render_jobs where state = 'done' group by owner) as files`,
    );
    const sizes = await Promise.all(owners.map(async (owner) => [owner, (await sizesOf(owner)).own] as const));
    expect(Object.fromEntries(sizes)).toEqual(counted?.sizes);
  });
});

describe('a start', () => {
  test('is refused at the quota, and accepted after a file was deleted', async () => {
    await finish('one', 6 * MB);
    await startWith('below', { quota: 6 * MB + 1 });
    const refused = startWith('two', { quota: 6 * MB });
    await expect(refused).rejects.toMatchObject({ code: 'rate_limited', status: 429 });
    await expect(refused).rejects.toThrow(
      'Your key stores 6.00 MB of finished files and may store 6.00 MB. Delete files that you no longer need ' +
        '(DELETE /api/v1/render/jobs/{jobId}?finished=delete), or start this job in 60 min, when the next file expires.',
    );
    const error = await refused.catch((reason: unknown) => reason);
    expect(error instanceof MillraceError ? error.retryAfter : 0).toBeGreaterThan(3_500);
    expect(await store.row('two')).toBeUndefined();
    await store.jobs.deleteFinished('one', 'me');
    expect(await startWith('two', { quota: 6 * MB })).toMatchObject({ isNew: true });
    await store.queue.claim(worker);
  });

  test('is refused if the files of its owner take half of the disk', async () => {
    await finish('one', 6 * MB);
    await finish('theirs', 2 * MB, 'other');
    await expect(startWith('two', { disk: diskOf(4 * MB) })).rejects.toThrow(
      'stores 6.00 MB of finished files and may store 6.00',
    );
    await startWith('two', { disk: diskOf(4 * MB + 2) });
    await store.jobs.start(testJob('three'), 'other', { stored: { disk: diskOf(0) } });
  });

  test('attaches to a job, and starts one whose file is only delivered, whatever is stored', async () => {
    await finish('one', 6 * MB);
    expect(await startWith('one', { quota: 1 })).toMatchObject({ isNew: false });
    const output = { ext: 'mp4', putUrl: 'https://store.example/a.mp4', keep: false };
    expect(await startWith('delivered', { quota: 1 }, { output })).toMatchObject({ isNew: true });
  });

  test('by a visitor of the page is refused for the files of all visitors', async () => {
    const startBy = (id: string, quota: number) =>
      store.jobs.start(testJob(id), 'page', { visitor: { id, limits }, stored: { quota } });
    await finish('a', 4 * MB, 'page', { visitor: { id: 'a', limits } });
    await expect(startBy('b', 4 * MB)).rejects.toThrow(
      /^The visitors of this service store 4\.00 MB of finished files and may store 4\.00 MB\. You can start this job in 60 min/,
    );
    await startBy('b', 5 * MB);
  });

  test('by a visitor of the page is refused for the files of the visitor, and later for those of its network', async () => {
    const start = (id: string, visitor: string) =>
      store.jobs.start(testJob(id), 'page', { visitor: { id: visitor, limits } });
    for (const id of ['a', 'b']) await finish(id, 5 * MB, 'page', { visitor: { id: `net.${id}`, limits } });
    await expect(start('one', 'net.a')).rejects.toThrow(
      'You have 5.00 MB of files on this service, and the limit for a visitor',
    );
    await start('two', 'net.c');
    await store.queue.claim(worker);
    for (const id of ['c', 'd']) await finish(id, 5 * MB, 'page', { visitor: { id: `net.${id}`, limits } });
    await expect(start('three', 'net.e')).rejects.toThrow('Your network has 20.00 MB of files on this service');
    await start('four', 'elsewhere');
  });

  test('records the quota of its plan for the worker', async () => {
    await startWith('one', { quota: 6 * MB });
    expect(await store.queue.claim(worker)).toMatchObject({ id: 'one', storedQuota: 6 * MB });
    expect(await store.queue.storedSizes(tenantOf('me', false))).toEqual({ own: 0, all: 0 });
  });
});
