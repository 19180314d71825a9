import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../database/database.ts';
import type { TestDatabase } from '../../../database/testing/test-database.ts';
import { type JobDatabase, openJobDatabase, testSealer } from '../../testing/job-database.ts';
import type { ClaimedJob } from './claim-job.ts';
import { openQueue, type Queue } from './queue.ts';

const [one, two, three] = [1, 2, 3].map((number) => `00000000-0000-4000-8000-00000000000${number}`) as [
  string,
  string,
  string,
];

let store: JobDatabase;
let database: TestDatabase;
let other: Database;
let queue: Queue;

beforeAll(async () => {
  store = await openJobDatabase(100);
  ({ database, queue } = store);
  other = await database.openAnother();
});
afterAll(async () => {
  await other.close();
  await store.close();
});
beforeEach(() => store.clear());

async function start(...ids: string[]): Promise<void> {
  for (const id of ids) {
    await store.start(id);
  }
}

async function claim(worker: string, running = 0): Promise<ClaimedJob> {
  const job = await queue.claim(worker, { running: running });
  if (job === undefined) throw new Error('no job could be claimed');
  return job;
}

async function row(id: string) {
  const result = await store.row(id);
  if (result === undefined) throw new Error(`there is no job ${id}`);
  return result;
}

/** Claims jobs like a worker with this many slots. */
async function fill(worker: string, slots: number): Promise<ClaimedJob[]> {
  const running: ClaimedJob[] = [];
  while (running.length < slots && !running.some(({ alone }) => alone)) {
    const job = await queue.claim(worker, { running: running.length });
    if (job === undefined) break;
    running.push(job);
  }
  return running;
}

const complete = ({ run }: ClaimedJob) =>
  queue.complete(run, { key: run, name: 'a.mp4', size: 5, link: 'link', notes: [] });

/** Kills and restarts the node of a worker. */
const crash = (worker: string) => queue.recoverLostRuns(false, worker);

/** Starts a job and makes it a suspect, as if its node had just died twice. */
async function suspect(worker: string, id: string): Promise<void> {
  await start(id);
  await database.query(`update render_jobs set deaths = 2, lost_at = now(), left_worker = $2 where id = $1`, [
    id,
    worker,
  ]);
}

/** Moves the death of a job's node this many seconds into the past. */
const wait = (id: string, seconds: number) =>
  database.query(`update render_jobs set lost_at = lost_at - $2::integer * interval '1 second' where id = $1`, [
    id,
    seconds,
  ]);

/** Sends a heartbeat of each worker. */
async function heartbeat(...workers: string[]): Promise<void> {
  for (const worker of workers) await queue.heartbeat(worker, 1, new Map());
}

describe('deaths of a node', () => {
  test('fail only the job that causes them, after two deaths beside other jobs and three alone', async () => {
    const innocent = ['a', 'b', 'c', 'd'];
    await start('a', 'b', 'killer', 'c', 'd');
    let deaths = 0;
    for (;;) {
      const running = await fill(one, 5);
      if (running.length === 0) break;
      if (running.some(({ id }) => id === 'killer')) {
        deaths += 1;
        await crash(one);
      } else for (const job of running) await complete(job);
    }
    expect(deaths).toBe(5);
    expect(await row('killer')).toMatchObject({
      state: 'failed',
      error_code: 'worker_lost',
      retryable: true,
      error: expect.stringContaining('failed 3 times'),
    });
    for (const id of innocent) expect(await row(id)).toMatchObject({ state: 'done' });
  });

  test('fail none of its jobs if there are three in a row', async () => {
    await start('a', 'b', 'c');
    for (let death = 0; death < 3; death += 1) {
      await fill(one, 4);
      await crash(one);
    }
    for (let remaining = 3; remaining > 0; remaining -= 1) await complete(await claim(one));
    for (const id of ['a', 'b', 'c']) expect(await row(id)).toMatchObject({ state: 'done' });
  });

  test('count against its only job too, at each restart of the whole service', async () => {
    await start('a');
    for (let death = 1; death <= 5; death += 1) {
      await claim(one);
      await queue.recoverLostRuns(true);
      expect((await row('a')).state).toBe(death < 5 ? 'queued' : 'failed');
    }
  });

  test('do not count for requeued runs', async () => {
    await start('a', 'b');
    for (let stop = 0; stop < 6; stop += 1) for (const { run } of await fill(one, 2)) await queue.requeue(run);
    await fill(one, 2);
    await queue.requeueOthers(one, []);
    expect(await row('a')).toMatchObject({ state: 'queued', deaths: 0, lone_deaths: 0 });
    expect(await fill(one, 2)).toMatchObject([{ alone: false }, { alone: false }]);
  });

  test('do not count for results that only wait for the store, including those of suspects', async () => {
    await start('a');
    await suspect(one, 'b');
    for (let death = 0; death < 4; death += 1) {
      const first = await claim(one);
      await queue.releaseSlot(first.run);
      const second = await claim(one);
      await queue.releaseSlot(second.run);
      await crash(one);
    }
    expect(await row('a')).toMatchObject({ state: 'queued', deaths: 0, lone_deaths: 0 });
    expect(await row('b')).toMatchObject({ state: 'queued', deaths: 2, lone_deaths: 0 });
    await claim(one);
    await crash(one);
    expect(await row('b')).toMatchObject({ lone_deaths: 1 });
  });

  test('are counted separately from the runs that an older version counts', async () => {
    await start('a');
    await database.query('update render_jobs set attempts = 3');
    await claim(one);
    await crash(one);
    expect(await row('a')).toMatchObject({ state: 'queued', attempts: 3 });
  });
});

describe('a suspect', () => {
  test('is claimed only by a worker that runs nothing else', async () => {
    await suspect(one, 'a');
    await start('b');
    expect(await claim(two, 1)).toMatchObject({ id: 'b', alone: false });
    expect(await queue.claim(two, { running: 1 })).toBeUndefined();
    expect(await claim(two)).toMatchObject({ id: 'a', alone: true });
  });

  test('has a death counted as shared if an older version ran it beside other jobs', async () => {
    await suspect(one, 'a');
    await claim(one);
    await crash(one);
    await database.query(
      `update render_jobs set state = 'processing', worker = $1, run = gen_random_uuid(), lost_at = null`,
      [two],
    );
    await crash(two);
    expect(await row('a')).toMatchObject({ state: 'queued', deaths: 3, lone_deaths: 1 });
  });

  test('makes one busy worker drain after it has waited', async () => {
    await suspect(one, 'a');
    await heartbeat(two, three);
    await start('b', 'c', 'd');
    await wait('a', 5);
    expect(await claim(two, 1)).toMatchObject({ id: 'b' });
    await wait('a', 6);
    expect(await queue.claim(two, { running: 1 })).toBeUndefined();
    expect(await claim(three, 1)).toMatchObject({ id: 'c' });
    expect(await queue.claim(two, { running: 1 })).toBeUndefined();
    expect(await claim(two, 0)).toMatchObject({ id: 'a', alone: true });
    expect(await claim(three, 1)).toMatchObject({ id: 'd' });
  });

  test('makes only one worker drain, however many check at the same moment', async () => {
    await suspect(one, 'a');
    await wait('a', 11);
    const ids = Array.from({ length: 8 }, (_, at) => `b-${at}`);
    await start(...ids);
    const nodes = [queue, openQueue(other, testSealer)];
    const workers = ids.map((_, at) => `00000000-0000-4000-8000-0000000000${10 + at}`);
    await heartbeat(...workers);
    const claims = await Promise.all(workers.map((worker, at) => nodes[at % 2]?.claim(worker, { running: 1 })));
    expect(claims.filter((job) => job === undefined)).toHaveLength(1);
    expect(claims.filter((job) => job?.alone)).toEqual([]);
  });

  test('makes another worker drain if the first is gone', async () => {
    await suspect(one, 'a');
    await start('b');
    await wait('a', 11);
    await heartbeat(two, three);
    expect(await queue.claim(two, { running: 1 })).toBeUndefined();
    await queue.removeWorker(two);
    expect(await queue.claim(three, { running: 1 })).toBeUndefined();
    expect(await claim(one, 1)).toMatchObject({ id: 'b' });
  });

  test('may be claimed by another idle worker, which ends the drain', async () => {
    await suspect(one, 'a');
    await start('b');
    await wait('a', 11);
    expect(await queue.claim(two, { running: 1 })).toBeUndefined();
    expect(await claim(three)).toMatchObject({ id: 'a', alone: true });
    expect(await claim(two, 1)).toMatchObject({ id: 'b' });
  });

  test('makes workers drain in turn, each for a limited time', async () => {
    await suspect(one, 'a');
    await heartbeat(two, three);
    await start('b', 'c', 'd');
    await wait('a', 11);
    expect(await queue.claim(two, { running: 1 })).toBeUndefined();
    await database.query(`update render_jobs set drained_until = now() - interval '1 second' where id = 'a'`);
    expect(await claim(two, 1)).toMatchObject({ id: 'b' });
    expect(await queue.claim(three, { running: 1 })).toBeUndefined();
    expect(await claim(two, 1)).toMatchObject({ id: 'c' });
    await database.query(`update render_jobs set drained_until = now() - interval '2 minutes' where id = 'a'`);
    expect(await queue.claim(three, { running: 1 })).toBeUndefined();
    expect(await claim(two, 1)).toMatchObject({ id: 'd' });
  });

  test('makes a worker drain only if it has waited longest of all', async () => {
    await heartbeat(two);
    await suspect(one, 'a');
    await suspect(one, 'b');
    await start('c');
    await wait('a', 20);
    await wait('b', 15);
    expect(await queue.claim(two, { running: 1 })).toBeUndefined();
    expect(await claim(three, 1)).toMatchObject({ id: 'c' });
    expect(await claim(two)).toMatchObject({ id: 'a' });
  });

  test('is first left to other nodes after it ran alone on a node that died', async () => {
    await suspect(one, 'a');
    await claim(one);
    await heartbeat(one, two);
    await crash(one);
    await start('b');
    expect(await claim(one)).toMatchObject({ id: 'b' });
    expect(await claim(two)).toMatchObject({ id: 'a', alone: true });
    await crash(two);
    await wait('a', 301);
    expect(await claim(two)).toMatchObject({ id: 'a' });
  });

  test('returns to its node immediately if there is no other', async () => {
    await suspect(one, 'a');
    const { run } = await claim(one);
    await heartbeat(one);
    await crash(one);
    expect(await claim(one)).toMatchObject({ id: 'a', previousRun: { run } });
  });

  test('is an ordinary job again if it is started after it failed', async () => {
    await suspect(one, 'a');
    for (let death = 0; death < 3; death += 1) {
      await claim(one);
      await crash(one);
    }
    expect(await row('a')).toMatchObject({ state: 'failed' });
    await start('a');
    expect(await claim(one)).toMatchObject({ id: 'a', alone: false });
  });
});
