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

/** Starts a job and has a worker claim it. Returns the run. */
async function startAndClaim(worker: string, id: string): Promise<string> {
  await store.start(id);
  const job = await store.queue.claim(worker);
  if (job === undefined) throw new Error('no job is waiting');
  return job.run;
}

test('keeps a job waiting until it is claimed', async () => {
  expect(await store.queue.hasWaitingJob()).toBe(false);
  const run = await startAndClaim(mine, 'one');
  expect(await store.queue.hasWaitingJob()).toBe(false);
  await store.queue.requeue(run);
  expect(await store.queue.hasWaitingJob()).toBe(true);
});

test.each([
  [12, 'downloading_inputs'],
  [26, 'queued'],
] as const)('treats a job after %i s without a heartbeat as %s', async (seconds, state) => {
  await startAndClaim(mine, 'one');
  await store.database.query(`update render_progress set beat_at = now() - $1::integer * interval '1 second'`, [
    seconds,
  ]);
  await store.queue.recoverLostRuns(false);
  expect(await store.row('one')).toMatchObject({ state });
});

test('recovers only the runs of a starting worker, since others may be silent because the database was unavailable', async () => {
  await startAndClaim(mine, 'one');
  await startAndClaim(other, 'two');
  await store.queue.heartbeat(other, 1, new Map());
  await store.database.query(`update render_progress set beat_at = now() - interval '10 minutes'`);
  await store.database.query(`update workers set beat_at = now() - interval '10 minutes'`);
  await store.queue.recoverLostRuns(false, mine);
  expect(await store.row('one')).toMatchObject({ state: 'queued', deaths: 1 });
  expect(await store.row('two')).toMatchObject({ state: 'downloading_inputs', worker: other, deaths: 0 });
  expect(await store.database.query('select id from workers')).toEqual([{ id: other }]);
});

test('ends a run whatever its progress and its message are', async () => {
  const run = await startAndClaim(mine, 'one');
  expect(await store.queue.enterStage(run, 'processing', Number.NaN)).toBe(true);
  await store.queue.fail(run, new MillraceError('source_unsupported', 'the key format \0 is unknown'), Number.NaN);
  expect(await store.row('one')).toMatchObject({ state: 'failed', error: 'the key format \ufffd is unknown' });
});

describe('a heartbeat', () => {
  /** Returns the progress of a run, and the version of its row. */
  async function readProgress(run: string) {
    const [row] = await store.database.query<{ progress: number; version: string; age: number }>(
      `select progress, ctid::text as version, extract(epoch from now() - beat_at)::float8 as age
       from render_progress where run = $1`,
      [run],
    );
    if (row === undefined) throw new Error('the run has no progress');
    return row;
  }

  test('writes new progress, and nothing if there is none', async () => {
    const run = await startAndClaim(mine, 'one');
    await store.queue.heartbeat(mine, 1, new Map([[run, 10]]));
    const before = await readProgress(run);
    expect(before.progress).toBe(10);
    expect(await store.queue.heartbeat(mine, 1, new Map([[run, 10]]))).toEqual(new Set([run]));
    expect(await store.queue.heartbeat(mine, 1, new Map([[run, 9]]))).toEqual(new Set([run]));
    expect(await readProgress(run)).toMatchObject({ progress: 10, version: before.version });
  });

  test.each([
    ['NaN', Number.NaN, 0],
    ['infinite', Number.POSITIVE_INFINITY, 100],
    ['negative', -1, 0],
    ['a fraction', 12.5, 12],
  ])('of all runs is written although the progress of one is %s', async (_name, value, written) => {
    const run = await startAndClaim(mine, 'one');
    const neighbour = await startAndClaim(mine, 'two');
    const progress = new Map([run, neighbour].map((key) => [key, key === run ? value : 10]));
    expect(await store.queue.heartbeat(mine, 2, progress)).toEqual(new Set([run, neighbour]));
    expect(await readProgress(neighbour)).toMatchObject({ progress: 10 });
    expect(await readProgress(run)).toMatchObject({ progress: written });
  });

  test.each([
    ['old', '1 hour'],
    ['from a clock that was ahead', '-10 minutes'],
  ])('is written again if the last one is %s', async (_name, ago) => {
    const run = await startAndClaim(mine, 'one');
    await store.database.query('update render_progress set beat_at = now() - $1::text::interval', [ago]);
    await store.queue.heartbeat(mine, 1, new Map([[run, 0]]));
    expect(Math.abs((await readProgress(run)).age)).toBeLessThan(60);
  });

  test('returns only the runs that are not over', async () => {
    const run = await startAndClaim(mine, 'one');
    const ended = await startAndClaim(mine, 'two');
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

describe('a worker that may hold more runs than it knows of', () => {
  test('requeues all runs that it does not know of, without counting a death', async () => {
    const current = await startAndClaim(mine, 'known');
    const stray = await startAndClaim(mine, 'stray');
    await startAndClaim(other, 'foreign');
    await store.queue.requeueOthers(mine, [current]);
    expect(await store.row('known')).toMatchObject({ state: 'downloading_inputs', run: current });
    expect(await store.row('stray')).toMatchObject({ state: 'queued', run: null, worker: null, deaths: 0 });
    expect(await store.row('foreign')).toMatchObject({ state: 'downloading_inputs', worker: other });
    expect(await store.database.query('select file_key from file_deletions')).toEqual([{ file_key: stray }]);
    expect(await store.database.query('select 1 from render_progress')).toHaveLength(2);
  });

  test('leaves finished jobs unchanged', async () => {
    const run = await startAndClaim(mine, 'done');
    await store.queue.complete(run, { key: run, name: 'a.mp4', size: 5, link: 'link', notes: [] });
    await store.queue.requeueOthers(mine, []);
    expect(await store.row('done')).toMatchObject({ state: 'done', file_key: run });
    expect(await store.database.query('select file_key from file_deletions')).toEqual([]);
  });
});
