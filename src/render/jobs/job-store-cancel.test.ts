import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import {
  claimNext,
  implementationNames,
  jobStoreImplementations,
  jobWithId,
  statusOf,
  type TestJobStore,
} from '../testing/job-store-implementations.ts';

const worker = '00000000-0000-4000-8000-000000000001';
const file = { name: 'a.mp4', size: 5, link: 'link', notes: [] };
const processingError = new MillraceError('processing_failed', 'it broke');
const over = { state: 'failed', error: 'Cancelled by its owner', error_code: 'cancelled' };

describe.each(implementationNames)('cancelling a job in %s', (name) => {
  let store: TestJobStore;
  let notifications: string[];
  let stops: readonly (() => Promise<void>)[];
  const cancel = (id = 'one', owner = 'me') => store.jobs.cancel(id, owner);
  const claim = () => claimNext(store, worker);

  beforeAll(async () => {
    store = await jobStoreImplementations[name](10);
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await store.clear();
    notifications = [];
    const channels = ['render_final', 'render_cancelled'];
    const listen = (channel: string) =>
      store.statuses.listen(channel, (text) => notifications.push(`${channel} ${text}`));
    stops = await Promise.all(channels.map(listen));
    await store.jobs.start(jobWithId('one'), 'me');
    return async () => {
      for (const stop of stops) await stop();
    };
  });

  test('ends a waiting job: no worker claims it, and subscribers are notified', async () => {
    expect(await cancel()).toBe('cancelled');
    expect(await statusOf(store, 'one')).toMatchObject(over);
    expect(await store.queue.claim(worker)).toBeUndefined();
    await expect.poll(() => notifications).toEqual(['render_final one']);
  });

  test('invalidates the run of a running job', async () => {
    const { run } = await claim();
    await store.queue.heartbeat(worker, 1, new Map([[run, 33]]));
    expect(await cancel()).toBe('cancelled');
    expect(await store.queue.heartbeat(worker, 1, new Map([[run, 34]]))).toEqual(new Set());
    expect(await store.queue.enterStage(run, 'processing', 50)).toBe(false);
    expect(await store.queue.complete(run, { key: run, ...file })).toBe(false);
    await store.queue.fail(run, processingError, 60);
    expect(await store.queue.requeue(run)).toBe(false);
    expect(await statusOf(store, 'one')).toMatchObject({ ...over, progress: 33 });
    await expect.poll(() => notifications.toSorted()).toEqual([`render_cancelled ${run}`, 'render_final one']);
  });

  test('discards the resumable run of a requeued job', async () => {
    const { run } = await claim();
    await store.queue.requeue(run);
    expect(await store.queue.resumableRuns(worker)).toEqual(new Set([run]));
    expect(await cancel()).toBe('cancelled');
    expect(await store.queue.resumableRuns(worker)).toEqual(new Set());
    await expect.poll(() => notifications.toSorted()).toEqual([`render_cancelled ${run}`, 'render_final one']);
  });

  test('returns the same result twice, and changes nothing', async () => {
    await cancel();
    const before = await statusOf(store, 'one');
    expect(await cancel()).toBe('cancelled');
    expect(await statusOf(store, 'one')).toEqual(before);
  });

  test.each(['done', 'failed'])('leaves a job that is %s unchanged', async (end) => {
    const { run } = await claim();
    if (end === 'done') await store.queue.complete(run, { key: run, ...file });
    else await store.queue.fail(run, processingError, 60);
    const before = await statusOf(store, 'one');
    expect(await cancel()).toBe('already_finished');
    expect(await statusOf(store, 'one')).toEqual(before);
  });

  test('rejects the job of another owner', async () => {
    await expect(cancel('one', 'you')).rejects.toMatchObject({ code: 'forbidden', status: 403 });
    expect(await statusOf(store, 'one')).toMatchObject({ error: null });
  });

  test.each(['none', '', '\u0000', '../one', 'o'.repeat(200), "' or true --"])(
    'finds no job with the ID %j',
    async (id) => {
      await expect(cancel(id)).rejects.toMatchObject({ code: 'not_found', status: 404 });
    },
  );

  test('finds no job that has expired', async () => {
    await store.expireAll();
    await expect(cancel()).rejects.toMatchObject({ code: 'not_found' });
  });

  test('allows the job to be started again, after which its former run can change nothing', async () => {
    const { run } = await claim();
    await cancel();
    expect((await store.jobs.start(jobWithId('one'), 'me')).isNew).toBe(true);
    expect(await statusOf(store, 'one')).toMatchObject({ state: 'queued', error: null, progress: 0 });
    const again = await claim();
    expect(again.previousRun).toBeUndefined();
    expect(await store.queue.complete(run, { key: run, ...file })).toBe(false);
    expect(await store.queue.complete(again.run, { key: again.run, ...file })).toBe(true);
    expect(await cancel()).toBe('already_finished');
  });
});
