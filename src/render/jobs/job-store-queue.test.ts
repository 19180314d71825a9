import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DeliveryOutcome } from '../../contract/delivery-outcome.ts';
import { MillraceError } from '../../contract/errors.ts';
import { sleep } from '../../waiting/sleep.ts';
import {
  claimNext,
  implementationNames,
  jobStoreImplementations,
  jobWithId,
  statusOf,
  type TestJobStore,
} from '../testing/job-store-implementations.ts';

const [worker, other] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;
const file = { name: 'a.mp4', size: 5, link: 'link', notes: [] };
const delivery: DeliveryOutcome = {
  status: 'delivered',
  host: 'bucket.example',
  bytes: 5,
  attempts: 1,
  httpStatus: 200,
  etag: null,
  code: null,
  message: null,
};
const processingError = new MillraceError('processing_failed', 'it broke');

describe.each(implementationNames)('the queue of %s', (name) => {
  let store: TestJobStore;
  const start = (id: string, ttl?: number) => store.jobs.start(jobWithId(id, ttl), 'me');
  const claim = (by: string = worker) => claimNext(store, by);

  beforeAll(async () => {
    store = await jobStoreImplementations[name](10);
  });
  afterAll(() => store.close());
  beforeEach(() => store.clear());

  test('gives each job to one claim, oldest first, with its description', async () => {
    await start('one');
    await start('two');
    const [first, second, none] = [await claim(), await claim(), await store.queue.claim(worker)];
    expect([first.id, second.id, none]).toEqual(['one', 'two', undefined]);
    expect(first.job).toEqual(jobWithId('one'));
    expect(first.run).not.toBe(second.run);
  });

  test('gives each claim the request that started the job, even after others have attached', async () => {
    const origin = { requestId: 'first', traceContext: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
    await store.jobs.start(jobWithId('one'), 'me', { origin });
    await store.jobs.start(jobWithId('one'), 'me', { origin: { requestId: 'second' } });
    const { run, origin: claimed } = await claim();
    expect(claimed).toEqual(origin);
    await store.queue.fail(run, processingError, 0);
    await store.jobs.start(jobWithId('one'), 'me', { origin: { requestId: 'third' } });
    expect((await claim()).origin).toEqual({ requestId: 'third' });
  });

  test('claims a job without the request that started it', async () => {
    await start('one');
    expect(await claim()).not.toHaveProperty('origin');
  });

  test('states how long ago a job was started, whatever runs it has had', async () => {
    const pass = () => Promise.all([sleep(30), store.passWithoutHeartbeat(30)]);
    await start('one');
    await pass();
    const first = await claim();
    expect(first.waitedMs).toBeGreaterThanOrEqual(25);
    expect(first.waitedMs).toBeLessThan(60_000);
    await store.queue.requeue(first.run);
    await pass();
    expect((await claim()).waitedMs).toBeGreaterThanOrEqual(first.waitedMs + 25);
  });

  test('reports whether a job waits', async () => {
    const before = await store.queue.hasWaitingJob();
    await start('one');
    const started = await store.queue.hasWaitingJob();
    await claim();
    expect([before, started, await store.queue.hasWaitingJob()]).toEqual([false, true, false]);
  });

  test('enters a stage together with its progress, which an older heartbeat does not revert', async () => {
    await start('one');
    const { run } = await claim();
    expect(await store.queue.enterStage(run, 'processing', 50)).toBe(true);
    await store.queue.heartbeat(worker, 1, new Map([[run, 49]]));
    expect(await statusOf(store, 'one')).toMatchObject({ state: 'processing', progress: 50 });
  });

  test('returns the runs that still belong to the worker on each heartbeat', async () => {
    for (const id of ['one', 'two']) await start(id);
    const [one, two] = [await claim(), await claim()];
    await store.queue.fail(two.run, processingError, 0);
    const beats = [one, two].map(({ run }) => [run, 10] as const);
    expect(await store.queue.heartbeat(worker, 2, new Map(beats))).toEqual(new Set([one.run]));
    await store.expireAll();
    expect(await store.queue.heartbeat(worker, 2, new Map(beats))).toEqual(new Set());
  });

  test('completes a run whose file was only delivered once, and returns the same result for a repeated call', async () => {
    await start('one', 3_600_000);
    const { run } = await claim();
    expect(await store.queue.complete(run, { delivery })).toBe(true);
    expect(await store.queue.complete(run, { delivery })).toBe(true);
    const none = { file_key: null, file_name: null, file_size: null, file_link: null, has_receipt: false, notes: null };
    expect(await statusOf(store, 'one')).toMatchObject({
      state: 'done',
      progress: 100,
      error: null,
      delivery,
      ...none,
    });
  });

  test('fails a run with the outcome of its delivery, which the next start forgets', async () => {
    await start('one');
    await store.queue.fail((await claim()).run, processingError, 90, { ...delivery, status: 'failed' });
    expect(await statusOf(store, 'one')).toMatchObject({ state: 'failed', delivery: { status: 'failed' } });
    await start('one');
    expect(await statusOf(store, 'one')).toMatchObject({ state: expect.any(String), delivery: null });
  });

  test('completes a run with its file once, and returns the same result for a repeated call', async () => {
    await start('one', 3_600_000);
    const { run } = await claim();
    const storedFile = { key: run, ...file, sha256: 'hash' };
    expect(await store.queue.complete(run, storedFile)).toBe(true);
    expect(await store.queue.complete(run, storedFile)).toBe(true);
    expect(await statusOf(store, 'one')).toMatchObject({
      state: 'done',
      progress: 100,
      file_key: run,
      file_name: 'a.mp4',
    });
    expect(await store.files.find(run)).toMatchObject({ state: 'done', file_size: 5, file_sha256: 'hash' });
    expect(await store.queue.claim(worker)).toBeUndefined();
  });

  test('requeues a job that its worker could not continue', async () => {
    await start('one');
    const { run } = await claim();
    expect(await store.queue.requeue(run)).toBe(true);
    expect(await store.queue.requeue(run)).toBe(false);
    expect(await statusOf(store, 'one')).toMatchObject({ state: 'queued' });
  });

  test('requeues jobs that a worker holds without running them, but no finished ones', async () => {
    for (const id of ['known', 'stray', 'done']) await start(id);
    const [current, , finished] = [await claim(), await claim(), await claim()];
    await store.queue.complete(finished.run, { key: finished.run, ...file });
    await store.queue.requeueOthers(worker, [current.run]);
    const states = await Promise.all(['known', 'stray', 'done'].map(async (id) => (await statusOf(store, id)).state));
    expect(states).toEqual(['downloading_inputs', 'queued', 'done']);
  });

  test('gives a worker its former jobs to resume before jobs that have waited longer; another worker starts them over', async () => {
    for (const id of ['one', 'two']) await start(id);
    const [first, second] = [await claim(), await claim()];
    await store.queue.heartbeat(worker, 2, new Map([[second.run, 30]]));
    await store.queue.requeue(first.run);
    await store.queue.requeue(second.run);
    expect(await statusOf(store, 'two')).toMatchObject({ state: 'queued', progress: 30 });
    expect(await store.queue.resumableRuns(worker)).toEqual(new Set([first.run, second.run]));
    expect((await claim(other)).previousRun).toBeUndefined();
    expect(await store.queue.resumableRuns(worker)).toEqual(new Set([second.run]));
    await start('three');
    const again = await claim();
    expect([again.id, again.previousRun]).toEqual(['two', { run: second.run, progress: 30 }]);
    expect(await store.queue.resumableRuns(worker)).toEqual(new Set([second.run, again.run]));
    expect((await claim()).id).toBe('three');
  });

  test('notifies subscribers of waiting and finished jobs', async () => {
    const notifications: string[] = [];
    const stops = [
      await store.statuses.listen('render_queue', (id) => notifications.push(`waiting ${id}`)),
      await store.statuses.listen('render_final', (id) => notifications.push(`over ${id}`)),
    ];
    await start('one');
    await store.queue.fail((await claim()).run, processingError, 0);
    await expect.poll(() => notifications).toEqual(['waiting one', 'over one']);
    for (const stop of stops) await stop();
  });

  test('marks a file as lost once, after which its job can be started again', async () => {
    await start('one');
    const { run } = await claim();
    await store.queue.complete(run, { key: run, ...file });
    expect([await store.files.failLostFiles([run]), await store.files.failLostFiles([run])]).toEqual([1, 0]);
    expect(await store.files.find(run)).toMatchObject({ state: 'failed', error_code: 'file_lost' });
    expect((await start('one')).isNew).toBe(true);
  });

  describe('with a full disk', () => {
    /** Has the worker claim the job and run out of disk; returns whether it got the job. */
    async function runsOut(otherDiskUse: 'nothing' | 'results' | 'jobs'): Promise<boolean> {
      const job = await store.queue.claim(worker);
      if (job !== undefined) await store.queue.requeueAfterFullDisk(job.run, otherDiskUse);
      return job !== undefined;
    }
    beforeEach(() => start('one', 86_400_000));

    test('retries a job that shared the disk any number of times, without resumable files', async () => {
      for (let time = 0; time < 5; time += 1) expect(await runsOut('jobs')).toBe(true);
      expect((await claim()).previousRun).toBeUndefined();
    });

    test('fails a job the third time if it had the disk to itself', async () => {
      for (let time = 0; time < 3; time += 1) expect(await runsOut('nothing')).toBe(true);
      expect(await statusOf(store, 'one')).toMatchObject({ state: 'failed', error_code: 'storage_failed' });
    });

    test('delays a job by minutes if the disk was shared with waiting results', async () => {
      expect(await runsOut('results')).toBe(true);
      expect(await store.queue.claim(worker)).toBeUndefined();
      await store.passWithoutHeartbeat(300_000);
      expect(await runsOut('results')).toBe(true);
    });
  });

  test('finds a stored description by its ID until it expires', async () => {
    const { cacheId } = await store.storedDescriptions.store(jobWithId('one'), 'me');
    expect(await store.storedDescriptions.find(cacheId)).toEqual({ job: jobWithId('one'), owner: 'me' });
    await expect(store.storedDescriptions.find('x'.repeat(22))).rejects.toMatchObject({ code: 'not_found' });
  });
});
