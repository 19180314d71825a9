import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import { type JobDatabase, openJobDatabase, testJob, testSealer } from '../../testing/job-database.ts';
import type { ClaimedJob, ClaimLimits } from './claim-job.ts';
import { openQueue } from './queue.ts';

const [one, two] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;
const limits = { atOnce: 100, perDay: 1_000, storedSize: 1e9 };

let store: JobDatabase;

beforeAll(async () => {
  store = await openJobDatabase(1_000);
});
afterAll(() => store.close());
beforeEach(() => store.clear());

/** Starts jobs of an owner, one after the other. */
async function start(owner: string, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) await store.jobs.start(testJob(id), owner);
}

/** Starts jobs of a visitor of the page, one after the other. */
async function visit(visitor: string, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) await store.jobs.start(testJob(id), 'the page', { visitor: { id: visitor, limits } });
}

async function claim(worker: string = one, claimLimits?: ClaimLimits): Promise<ClaimedJob> {
  const job = await store.queue.claim(worker, claimLimits);
  if (job === undefined) throw new Error('no job can be claimed');
  return job;
}

const end = ({ run }: ClaimedJob) =>
  store.queue.complete(run, { key: run, name: 'a.mp4', size: 5, link: 'link', notes: [] });

/** Returns the order in which one slot runs all waiting jobs. */
async function runAll(): Promise<string[]> {
  const ids: string[] = [];
  for (let job = await store.queue.claim(one); job !== undefined; job = await store.queue.claim(one)) {
    ids.push(job.id);
    await end(job);
  }
  return ids;
}

test('owners take turns, and each gets its jobs in the order in which they started', async () => {
  await start('a', 'a1', 'a2', 'a3', 'a4');
  await start('b', 'b1', 'b2');
  await start('c', 'c1');
  expect(await runAll()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('an owner without waiting jobs keeps its place behind those that had none yet', async () => {
  await start('a', 'a1');
  await end(await claim());
  await start('a', 'a2');
  await start('b', 'b1');
  expect(await runAll()).toEqual(['b1', 'a2']);
});

test('a claim takes a job of the owner that occupies the fewest slots on all nodes', async () => {
  await start('a', 'a1', 'a2', 'a3', 'a4');
  expect([(await claim(one)).id, (await claim(two)).id]).toEqual(['a1', 'a2']);
  await start('b', 'b1', 'b2', 'b3');
  const b1 = await claim(one);
  expect([b1.id, (await claim(two)).id]).toEqual(['b1', 'b2']);
  await end(b1);
  expect((await claim(one)).id).toBe('b3');
});

test('a job whose result only waits for the store does not count as running', async () => {
  await start('a', 'a1', 'a2');
  await start('b', 'b1', 'b2');
  const { run } = await claim();
  await claim();
  await store.queue.releaseSlot(run);
  expect((await claim()).id).toBe('a2');
});

test('all visitors together weigh as much as one owner', async () => {
  for (let visitor = 1; visitor <= 4; visitor += 1) await visit(`v${visitor}`, `v${visitor}`);
  await start('a', 'a1', 'a2');
  // The key of the page may also start jobs itself.
  await start('the page', 'p1');
  expect(await runAll()).toEqual(['v1', 'a1', 'p1', 'v2', 'a2', 'v3', 'v4']);
});

test('the first jobs of other visitors come before further jobs of a visitor', async () => {
  await visit('v', 'v1', 'v2', 'v3');
  await visit('w', 'w1', 'w2');
  await visit('x', 'x1');
  expect(await runAll()).toEqual(['v1', 'w1', 'x1', 'v2', 'w2', 'v3']);
});

test('a worker whose slots for visitors are full is given only the jobs of keys, also of those that it had before', async () => {
  const withVisitors = false;
  await visit('v', 'v1', 'v2');
  await store.queue.requeue((await claim()).run);
  expect(await store.queue.claim(one, { withVisitors })).toBeUndefined();
  expect(await store.queue.hasWaitingJob(withVisitors)).toBe(false);
  await start('a', 'a1');
  expect(await store.queue.hasWaitingJob(withVisitors)).toBe(true);
  expect(await claim(one, { withVisitors })).toMatchObject({ id: 'a1', visitor: false });
  expect(await claim()).toMatchObject({ id: 'v1', visitor: true, previousRun: { progress: 0 } });
});

test('the job of a visitor that its owner retries with a key counts for the owner', async () => {
  await visit('v', 'v1');
  await store.queue.fail((await claim()).run, new MillraceError('processing_failed', 'it broke'), 0);
  await store.jobs.retry('v1', 'the page');
  expect(await claim()).toMatchObject({ id: 'v1', visitor: false });
});

describe('a turn passes on', () => {
  test.each([
    ['has a format that the worker cannot read', 'format = 1000000'],
    ['has expired', 'expires_at = now()'],
    ['ran out of disk on this worker', `full_disk_worker = '${one}', full_disk_at = now(), full_disks = 1`],
    ['belongs to a test key and the worker has no lab', 'test = true'],
  ])('if the only job of a tenant %s', async (_case, assignment) => {
    await start('a', 'a1');
    await start('b', 'b1');
    await store.queue.heartbeat(two, 1, new Map());
    await store.database.query(`update render_jobs set ${assignment} where id = 'a1'`);
    expect(await claim()).toMatchObject({ id: 'b1' });
    expect(await store.queue.claim(one)).toBeUndefined();
  });

  test('to further jobs of the tenant', async () => {
    await start('a', 'a1', 'a2');
    await start('b', 'b1');
    await store.database.query(`update render_jobs set format = 1000000 where id = 'a1'`);
    expect(await runAll()).toEqual(['a2', 'b1']);
  });
});

test('jobs of test keys take turns with those of live keys', async () => {
  await start('a', 'a1', 'a2');
  for (const id of ['t1', 't2']) await store.jobs.start(testJob(id), 'a test key', { test: true });
  const queue = openQueue(store.database, testSealer, { runsTestJobs: true });
  await queue.heartbeat(one, 4, new Map());
  const ids = [];
  for (let count = 0; count < 4; count += 1) ids.push((await queue.claim(one))?.id);
  expect(ids).toEqual(['a1', 't1', 'a2', 't2']);
});

test('concurrent claims give every job to one worker', async () => {
  await start('a', 'a1', 'a2', 'a3');
  await start('b', 'b1', 'b2');
  const nodes = [store.queue, openQueue(await store.database.openAnother(), testSealer)];
  const claims = await Promise.all(
    Array.from({ length: 8 }, (_, at) => nodes[at % 2]?.claim(at % 2 === 0 ? one : two)),
  );
  const ids = claims.flatMap((job) => job?.id ?? []);
  expect(ids.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2']);
});
