import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type JobDatabase, openJobDatabase, testJob, testSealer } from '../../testing/job-database.ts';
import type { DiskUse } from './full-disk.ts';
import { openQueue } from './queue.ts';

const [small, large] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;

let store: JobDatabase;

beforeAll(async () => {
  store = await openJobDatabase(10);
});
afterAll(() => store.close());
beforeEach(async () => {
  await store.clear();
  await store.start('one');
});

async function row() {
  const [result] = await store.database.query<Record<string, unknown>>('select * from render_jobs');
  return result;
}

/** Makes a worker claim the job and run out of disk. Returns whether it got the job. */
async function runsOutOfDisk(worker: string, otherDiskUse: DiskUse): Promise<boolean> {
  const job = await store.queue.claim(worker);
  if (job !== undefined) await store.queue.requeueAfterFullDisk(job.run, otherDiskUse);
  return job !== undefined;
}

test('requeues a job without counting an attempt or keeping resumable files', async () => {
  await runsOutOfDisk(small, 'jobs');
  expect(await row()).toMatchObject({ state: 'queued', attempts: 0, full_disks: 0, run: null, left_run: null });
  expect(await store.database.query('select * from render_progress')).toEqual([]);
});

test('gives the job to another worker with slots, and to the same one only if there is none', async () => {
  await store.queue.heartbeat(small, 1, new Map());
  await store.queue.heartbeat(large, 1, new Map());
  await runsOutOfDisk(small, 'jobs');
  expect(await store.queue.claim(small)).toBeUndefined();
  // A worker without slots cannot claim it.
  await store.queue.heartbeat(large, 0, new Map());
  expect(await runsOutOfDisk(small, 'jobs')).toBe(true);
  await store.queue.heartbeat(large, 1, new Map());
  expect(await store.queue.claim(small)).toBeUndefined();
  expect(await store.queue.claim(large)).toMatchObject({ id: 'one' });
});

test('leaves the job to others for a limited time, which grows with each counted occurrence', async () => {
  const setLastFullDisk = (seconds: number) =>
    store.database.query(`update render_jobs set full_disk_at = now() - $1::integer * interval '1 second'`, [seconds]);
  await store.queue.heartbeat(large, 1, new Map());
  await runsOutOfDisk(small, 'jobs');
  await setLastFullDisk(15);
  expect(await store.queue.claim(small)).toBeUndefined();
  await setLastFullDisk(31);
  expect(await runsOutOfDisk(small, 'nothing')).toBe(true);
  await setLastFullDisk(60);
  expect(await store.queue.claim(small)).toBeUndefined();
  await setLastFullDisk(121);
  expect(await store.queue.claim(small)).toMatchObject({ id: 'one' });
});

test('does not leave the job to workers that cannot read it', async () => {
  await openQueue(store.database, testSealer, { maxFormat: 0 }).heartbeat(large, 1, new Map());
  await runsOutOfDisk(small, 'jobs');
  expect(await store.queue.claim(small)).toMatchObject({ id: 'one' });
});

test('gives a job that must run alone to another worker first, too', async () => {
  await store.database.query('update render_jobs set deaths = 2, lost_at = now()');
  await store.queue.heartbeat(large, 1, new Map());
  await runsOutOfDisk(small, 'nothing');
  expect(await store.queue.claim(small)).toBeUndefined();
  // The worker that ran out of disk also does not drain for this job while it runs another one, because the other
  // worker may claim this job.
  await store.database.query(`update render_jobs set lost_at = now() - interval '1 minute'`);
  await store.queue.claim(small, { running: 1 });
  expect(await row()).toMatchObject({ drained_by: null });
  expect(await store.queue.claim(large)).toMatchObject({ id: 'one', alone: true });
});

test('fails a job that runs out of disk three times on its own, but not one that shared the disk', async () => {
  for (let time = 0; time < 5; time += 1) expect(await runsOutOfDisk(small, 'jobs')).toBe(true);
  await runsOutOfDisk(small, 'nothing');
  await runsOutOfDisk(large, 'nothing');
  expect(await row()).toMatchObject({ state: 'queued', error: null });
  await runsOutOfDisk(small, 'nothing');
  expect(await row()).toMatchObject({
    state: 'failed',
    error_code: 'storage_failed',
    error: expect.stringContaining('more disk space than a worker has'),
    run: null,
  });
});

test('allows any number of occurrences beside waiting results, with a delay of minutes', async () => {
  await runsOutOfDisk(small, 'results');
  await store.jobs.start(testJob('two'), 'me');
  expect(await store.queue.claim(small)).toMatchObject({ id: 'two' });
  expect(await store.queue.claim(small)).toBeUndefined();
  for (let time = 0; time < 4; time += 1) {
    await store.database.query(
      `update render_jobs set full_disk_at = full_disk_at - interval '5 minutes' where id = 'one'`,
    );
    expect(await runsOutOfDisk(small, 'results')).toBe(true);
  }
  await store.queue.heartbeat(large, 1, new Map());
  expect(await store.queue.claim(large)).toMatchObject({ id: 'one' });
});

test('changes nothing when it is repeated', async () => {
  const job = await store.queue.claim(small);
  await store.queue.requeueAfterFullDisk(job?.run ?? '', 'nothing');
  await store.queue.requeueAfterFullDisk(job?.run ?? '', 'nothing');
  expect(await row()).toMatchObject({ state: 'queued', attempts: 0, full_disks: 1 });
});
