import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import { type JobDatabase, openJobDatabase } from '../../testing/job-database.ts';

const [mine, other] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;

let store: JobDatabase;

beforeAll(async () => {
  store = await openJobDatabase(10);
});
afterAll(() => store.close());
beforeEach(() => store.clear());

/** Starts a job and has a worker take it up. Returns the run. */
async function takenBy(worker: string, id: string): Promise<string> {
  await store.start(id);
  const claimed = await store.queue.claim(worker);
  if (claimed === undefined) throw new Error('no job is waiting');
  return claimed.run;
}

test('a job waits until it is claimed', async () => {
  expect(await store.queue.hasWaitingJob()).toBe(false);
  const run = await takenBy(mine, 'one');
  expect(await store.queue.hasWaitingJob()).toBe(false);
  await store.queue.requeue(run);
  expect(await store.queue.hasWaitingJob()).toBe(true);
});

test.each([
  [24, 'downloading_inputs'],
  [26, 'queued'],
] as const)('after %i s of silence a job is %s', async (seconds, state) => {
  await takenBy(mine, 'one');
  await store.database.query(`update render_progress set beat_at = now() - $1::integer * interval '1 second'`, [
    seconds,
  ]);
  await store.queue.recoverLostRuns(false);
  expect(await store.row('one')).toMatchObject({ state });
});

test('a worker that starts recovers its own runs only, since others may be silent because the database was away', async () => {
  await takenBy(mine, 'one');
  await takenBy(other, 'two');
  await store.queue.heartbeat(other, 1, new Map());
  await store.database.query(`update render_progress set beat_at = now() - interval '10 minutes'`);
  await store.database.query(`update workers set beat_at = now() - interval '10 minutes'`);
  await store.queue.recoverLostRuns(false, mine);
  expect(await store.row('one')).toMatchObject({ state: 'queued', deaths: 1 });
  expect(await store.row('two')).toMatchObject({ state: 'downloading_inputs', worker: other, deaths: 0 });
  expect(await store.database.query('select id from workers')).toEqual([{ id: other }]);
});

describe('a heartbeat', () => {
  /** The progress of a run, and which version of its row that is. */
  async function written(run: string) {
    const [found] = await store.database.query<{ progress: number; version: string; age: number }>(
      `select progress, ctid::text as version, extract(epoch from now() - beat_at)::float8 as age
       from render_progress where run = $1`,
      [run],
    );
    if (found === undefined) throw new Error('the run has no progress');
    return found;
  }

  test('writes progress, and nothing where there is none', async () => {
    const run = await takenBy(mine, 'one');
    await store.queue.heartbeat(mine, 1, new Map([[run, 10]]));
    const before = await written(run);
    expect(before.progress).toBe(10);
    expect(await store.queue.heartbeat(mine, 1, new Map([[run, 10]]))).toEqual(new Set([run]));
    expect(await store.queue.heartbeat(mine, 1, new Map([[run, 9]]))).toEqual(new Set([run]));
    expect(await written(run)).toMatchObject({ progress: 10, version: before.version });
  });

  test.each([
    ['old', '4 seconds'],
    ['from a clock that was ahead', '-10 minutes'],
  ])('is written again when the last one is %s', async (_name, ago) => {
    const run = await takenBy(mine, 'one');
    await store.database.query('update render_progress set beat_at = now() - $1::text::interval', [ago]);
    await store.queue.heartbeat(mine, 1, new Map([[run, 0]]));
    expect(Math.abs((await written(run)).age)).toBeLessThan(3);
  });

  test('tells whose run is over', async () => {
    const run = await takenBy(mine, 'one');
    const ended = await takenBy(mine, 'two');
    await store.queue.fail(ended, new MillraceError('processing_failed', 'it failed'), 0);
    const own = await store.queue.heartbeat(
      mine,
      2,
      new Map([
        [run, 1],
        [ended, 1],
      ]),
    );
    expect(own).toEqual(new Set([run]));
  });
});

describe('a worker that may hold more than it knows of', () => {
  test('hands back all else, without counting a death', async () => {
    const known = await takenBy(mine, 'known');
    const stray = await takenBy(mine, 'stray');
    await takenBy(other, 'foreign');
    await store.queue.requeueOthers(mine, [known]);
    expect(await store.row('known')).toMatchObject({ state: 'downloading_inputs', run: known });
    expect(await store.row('stray')).toMatchObject({ state: 'queued', run: null, worker: null, deaths: 0 });
    expect(await store.row('foreign')).toMatchObject({ state: 'downloading_inputs', worker: other });
    expect(await store.database.query('select file_key from file_deletions')).toEqual([{ file_key: stray }]);
    expect(await store.database.query('select 1 from render_progress')).toHaveLength(2);
  });

  test('keeps what is over', async () => {
    const done = await takenBy(mine, 'done');
    await store.queue.complete(done, { key: done, name: 'a.mp4', size: 5, link: 'link', notes: [] });
    await store.queue.requeueOthers(mine, []);
    expect(await store.row('done')).toMatchObject({ state: 'done', file_key: done });
    expect(await store.database.query('select file_key from file_deletions')).toEqual([]);
  });
});
