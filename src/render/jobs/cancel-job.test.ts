import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { parseJob } from '../../contract/parse-job.ts';
import type { Database } from '../../database/database.ts';
import { openTestDatabase, type TestDatabase } from '../../database/testing/test-database.ts';
import { createSealer } from '../../sealing/sealer.ts';
import { cancelJob, cancelJobAsAdministrator } from './cancel-job.ts';
import { openJobs } from './jobs.ts';
import type { ClaimedJob } from './queue/claim-job.ts';
import { openQueue } from './queue/queue.ts';

const worker = '00000000-0000-4000-8000-000000000001';
const sealer = createSealer(['a secret for these tests']);
const file = { name: 'a.mp4', size: 5, link: 'link', notes: [] };
const processingError = new MillraceError('processing_failed', 'it broke');

const job = (id: string) =>
  parseJob({
    id,
    inputs: [{ url: 'https://cdn.example/a.mp4', ext: 'mp4' }],
    output: { ext: 'mp4' },
    operation: { type: 'convert_format' },
  });

let database: TestDatabase;
/** The database connection of another node. */
let other: Database;
let stops: readonly (() => Promise<void>)[];
let notifications: string[];

beforeAll(async () => {
  database = await openTestDatabase();
  other = await database.openAnother();
  const listening = ['render_final', 'render_cancelled'].map((channel) =>
    database.listen(channel, (payload) => notifications.push(`${channel} ${payload}`)),
  );
  stops = await Promise.all(listening);
});
afterAll(async () => {
  for (const stop of stops) await stop();
  await other.close();
  await database.close();
});
beforeEach(async () => {
  notifications = [];
  for (const table of ['render_jobs', 'render_progress', 'workers', 'file_deletions']) {
    await database.query(`delete from ${table}`);
  }
});

const jobs = () => openJobs(database, sealer, 10);
const queue = () => openQueue(database, sealer);
const cancel = (id = 'one', owner = 'me') => cancelJob(database, id, owner);

async function claim(): Promise<ClaimedJob> {
  const job = await queue().claim(worker);
  if (job === undefined) throw new Error('no job is waiting');
  return job;
}

async function row() {
  const [result] = await database.query<Record<string, unknown>>(`select * from render_jobs where id = 'one'`);
  return result;
}

const cancelledRow = {
  state: 'failed',
  error: 'Cancelled by its owner',
  description: null,
  run: null,
  worker: null,
  left_run: null,
  left_worker: null,
};

test('ends a waiting job, which is never claimed, and notifies subscribers', async () => {
  await jobs().start(job('one'), 'me');
  expect(await cancel()).toBe('cancelled');
  expect(await row()).toMatchObject(cancelledRow);
  expect(await queue().claim(worker)).toBeUndefined();
  await expect.poll(() => notifications).toEqual(['render_final one']);
});

test('invalidates the run of a running job, and deletes what it stores', async () => {
  await jobs().start(job('one'), 'me');
  const { run } = await claim();
  await queue().heartbeat(worker, 1, new Map([[run, 33]]));
  expect(await cancel()).toBe('cancelled');
  expect(await row()).toMatchObject({ ...cancelledRow, progress: 33 });
  expect(await queue().heartbeat(worker, 1, new Map([[run, 34]]))).toEqual(new Set());
  expect(await queue().enterStage(run, 'processing', 50)).toBe(false);
  expect(await queue().complete(run, { key: run, ...file })).toBe(false);
  await queue().fail(run, processingError, 60);
  await queue().requeue(run);
  expect(await row()).toMatchObject({ ...cancelledRow, progress: 33 });
  expect(await database.query('select 1 from render_progress')).toEqual([]);
  expect(await database.query('select file_key from file_deletions')).toEqual([{ file_key: run }]);
  await expect.poll(() => notifications.toSorted()).toEqual([`render_cancelled ${run}`, 'render_final one']);
});

test.each(['done', 'failed'])('leaves a job that is %s unchanged', async (end) => {
  await jobs().start(job('one'), 'me');
  const { run } = await claim();
  if (end === 'done') await queue().complete(run, { key: run, ...file });
  else await queue().fail(run, processingError, 60);
  const before = await row();
  expect(await cancel()).toBe('already_finished');
  expect(await row()).toEqual(before);
  expect(await database.query('select 1 from file_deletions')).toEqual([]);
});

test.each([
  ['cancels', 'completes', 'failed'],
  ['completes', 'cancels', 'done'],
])('gives a job one outcome if one node %s it while another node %s it', async (firstStep, _secondStep, endOfFirst) => {
  // From a race in which either node may be the first, to a first node that has finished before the other one starts.
  for (const headStart of [0, 1, 2, 4, 8, 16, 32, 64, 'all'] as const) {
    await database.query('delete from render_jobs');
    await jobs().start(job('one'), 'me');
    const { run } = await claim();
    const complete = () => queue().complete(run, { key: run, ...file });
    const cancelElsewhere = () => cancelJob(other, 'one', 'me');
    const [first, second] = firstStep === 'cancels' ? [cancelElsewhere, complete] : [complete, cancelElsewhere];
    const firstResult: Promise<unknown> = first();
    if (headStart === 'all') await firstResult;
    else for (let turn = 0; turn < headStart; turn += 1) await new Promise(setImmediate);
    const results = new Set<unknown>(await Promise.all([firstResult, second()]));
    const state = (await row())?.state;
    expect(results).toEqual(new Set(state === 'done' ? [true, 'already_finished'] : [false, 'cancelled']));
    if (headStart === 'all') expect(state).toBe(endOfFirst);
  }
});

test('returns `cancelled` for each of many concurrent calls on two nodes', async () => {
  await jobs().start(job('one'), 'me');
  await claim();
  const all = Array.from({ length: 20 }, (_, index) => cancelJob(index % 2 === 0 ? database : other, 'one', 'me'));
  expect(new Set(await Promise.all(all))).toEqual(new Set(['cancelled']));
});

test('an administrator ends a running job of any owner, and its error states the reason', async () => {
  await jobs().start(job('one'), 'me');
  const { run } = await claim();
  let records = 0;
  const cancelAsAdministrator = () =>
    cancelJobAsAdministrator(other, 'one', 'it fills the disk', async () => {
      records += 1;
    });
  expect(await cancelAsAdministrator()).toBe('cancelled');
  const [row] = await database.query('select * from render_jobs');
  expect(row).toMatchObject({
    ...{ state: 'failed', error_code: 'cancelled', retryable: false, description: null, run: null },
    error: 'Cancelled by the operator of the service: it fills the disk',
  });
  await expect.poll(() => notifications).toContain(`render_cancelled ${run}`);
  expect(await cancelAsAdministrator()).toBe('already_finished');
  expect(records).toBe(1);
  await expect(cancelJobAsAdministrator(other, 'gone', 'x', async () => undefined)).rejects.toMatchObject({
    code: 'not_found',
  });
});
