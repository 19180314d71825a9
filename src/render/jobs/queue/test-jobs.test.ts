import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type JobDatabase, openJobDatabase, testJob, testSealer } from '../../testing/job-database.ts';
import { readStatusRows } from '../status-row.ts';
import { openQueue } from './queue.ts';

const [withLab, without] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;

let store: JobDatabase;
const queueWithLab = () => openQueue(store.database, testSealer, { runsTestJobs: true });

beforeAll(async () => {
  store = await openJobDatabase(1_000);
});
afterAll(() => store.close());
beforeEach(async () => {
  await store.clear();
  // Tells the database which formats the workers read.
  for (const worker of [withLab, without]) await store.queue.heartbeat(worker, 2, new Map());
  await store.jobs.start(testJob('test'), 'a test key', { test: true });
});

test('the job of a test key is only claimed by workers with the lab', async () => {
  expect(await store.queue.hasWaitingJob()).toBe(false);
  expect(await store.queue.claim(without)).toBeUndefined();
  await store.start('live');
  expect(await store.queue.claim(without)).toMatchObject({ id: 'live', test: false });
  expect(await queueWithLab().hasWaitingJob()).toBe(true);
  expect(await queueWithLab().claim(withLab)).toMatchObject({ id: 'test', test: true });
});

test('workers without the lab neither claim a suspect of a test key nor drain for it', async () => {
  await store.database.query(`update render_jobs set deaths = 2, lost_at = now() - interval '1 hour'`);
  await store.start('live');
  expect(await store.queue.claim(without)).toMatchObject({ id: 'live' });
  await store.start('other');
  expect(await store.queue.claim(without, { running: 1 })).toMatchObject({ id: 'other' });
  expect(await store.queue.claim(without)).toBeUndefined();
  expect(await queueWithLab().claim(withLab)).toMatchObject({ id: 'test', alone: true });
});

test('workers of earlier versions leave the job to newer ones', async () => {
  const row = await store.row('test');
  expect(row?.format).toBeGreaterThan(2);
});

test('the status of the job states that it is a test, also after a retry and after it is deleted', async () => {
  const claimed = await queueWithLab().claim(withLab);
  await store.database.query(`update render_jobs set state = 'failed', error = 'x' where run = $1`, [claimed?.run]);
  await store.jobs.retry('test', 'a test key', { test: true });
  expect((await readStatusRows(store.database, ['test'])).get('test')?.test).toBe(true);
  const [last] = await store.database.query<{ status: { test: boolean } }>(
    `select last_status(j) as status from render_jobs j where id = 'test'`,
  );
  expect(last?.status.test).toBe(true);
});

test('a live key with the same ID is refused', async () => {
  await expect(store.jobs.start(testJob('test'), 'a live key')).rejects.toMatchObject({ code: 'forbidden' });
});
