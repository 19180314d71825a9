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
import type { VisitorLimits } from './visitor-limits.ts';

const worker = '00000000-0000-4000-8000-000000000001';
const file = { name: 'a.mp4', size: 5, link: 'link', notes: [] };
const processingError = new MillraceError('processing_failed', 'it broke');
const noProgress = new Map<string, number>();

describe.each(implementationNames)('starting a job in %s', (name) => {
  let store: TestJobStore;
  const start = (id: string, owner = 'me', maxUnfinished = 100) =>
    store.jobs.start(jobWithId(id), owner, { maxUnfinished });
  const visitorStarts = (limits: VisitorLimits) => (visitor: string, id: string) =>
    store.jobs.start(jobWithId(id), 'me', { visitor: { id: visitor, limits } });
  const stateOf = async (id: string) => (await statusOf(store, id)).state;
  const claim = () => claimNext(store, worker);

  beforeAll(async () => {
    store = await jobStoreImplementations[name](2);
  });
  afterAll(() => store.close());
  beforeEach(() => store.clear());

  test('returns pending while a worker has a free slot, and queued after that', async () => {
    await store.queue.heartbeat(worker, 1, noProgress);
    expect(await start('one')).toMatchObject({ isNew: true, message: 'The job was accepted.' });
    await start('two');
    expect([await stateOf('one'), await stateOf('two')]).toEqual(['pending', 'queued']);
  });

  test('does not count the slots of a worker that has stopped sending heartbeats', async () => {
    await store.queue.heartbeat(worker, 1, noProgress);
    await store.passWithoutHeartbeat(31_000);
    await start('one');
    expect(await stateOf('one')).toBe('queued');
  });

  test('attaches to a waiting or running job and leaves it unchanged', async () => {
    await start('one');
    expect(await start('one')).toMatchObject({ isNew: false, message: 'The job exists and is in progress.' });
    const { run, owner } = await claim();
    expect(owner).toBe('me');
    expect((await start('one')).isNew).toBe(false);
    expect(await store.queue.enterStage(run, 'processing', 50)).toBe(true);
  });

  test("rejects the ID of another owner's job", async () => {
    await start('one');
    await expect(start('one', 'you')).rejects.toMatchObject({ code: 'forbidden', status: 403 });
  });

  test('rejects an owner who has too many jobs, and leaves nothing behind', async () => {
    await start('one', 'me', 2);
    await start('two', 'me', 2);
    await expect(start('three', 'me', 2)).rejects.toMatchObject({ code: 'rate_limited', status: 429 });
    expect((await store.statuses.read(['three'])).size).toBe(0);
    expect((await start('two', 'me', 2)).isNew).toBe(false);
    await store.queue.fail((await claim()).run, processingError, 0);
    expect((await start('three', 'me', 2)).isNew).toBe(true);
    await expect(start('one', 'me', 2)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await statusOf(store, 'one')).toMatchObject({ state: 'failed', error: 'it broke' });
  });

  test('rejects a visitor who has too many unfinished jobs, unlike other visitors of the same owner', async () => {
    // With free slots, none of the jobs fails because too many wait.
    await store.queue.heartbeat(worker, 10, noProgress);
    const startBy = visitorStarts({ atOnce: 2, perDay: 100, storedSize: 1e9 });
    await startBy('a', 'one');
    await startBy('a', 'two');
    await expect(startBy('a', 'three')).rejects.toMatchObject({ code: 'rate_limited', status: 429 });
    expect((await store.statuses.read(['three'])).size).toBe(0);
    expect((await startBy('b', 'four')).isNew).toBe(true);
    expect((await start('five')).isNew).toBe(true);
    expect((await startBy('a', 'two')).isNew).toBe(false);
    expect(await store.jobs.cancel('one', 'me')).toBe('cancelled');
    expect((await startBy('a', 'three')).isNew).toBe(true);
    await expect(startBy('a', 'one')).rejects.toMatchObject({ code: 'rate_limited' });
  });

  test('rejects a visitor who has started too many jobs within a day, but counts no failed job twice', async () => {
    const startBy = visitorStarts({ atOnce: 100, perDay: 2, storedSize: 1e9 });
    await startBy('c', 'one');
    await startBy('c', 'one');
    await store.queue.fail((await claim()).run, processingError, 0);
    expect((await startBy('c', 'one')).isNew).toBe(true);
    await store.queue.fail((await claim()).run, processingError, 0);
    await startBy('c', 'two');
    await store.jobs.cancel('two', 'me');
    expect(await store.jobs.deleteFinished('two', 'me')).toBeDefined();
    const refusal = await startBy('c', 'three').catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: 'rate_limited',
      message: 'You have started 2 jobs within a day, the limit for a visitor of this service. Try again in 1440 min.',
    });
    expect(refusal).toHaveProperty(
      'retryAfter',
      expect.toSatisfy((seconds) => seconds > 86_300 && seconds <= 86_400),
    );
    expect((await startBy('c', 'one')).isNew).toBe(true);
    expect((await store.statuses.read(['three'])).size).toBe(0);
    await store.expireAll();
    expect((await startBy('c', 'three')).isNew).toBe(true);
    // It has expired, so this is a new job.
    expect((await startBy('c', 'one')).isNew).toBe(true);
    await expect(startBy('c', 'four')).rejects.toMatchObject({ code: 'rate_limited' });
  });

  test('counts a restart of a visitor after a cancellation, and after the first few failures', async () => {
    const startBy = visitorStarts({ atOnce: 100, perDay: 3, storedSize: 1e9 });
    await store.queue.heartbeat(worker, 10, noProgress);
    const fail = async () => store.queue.fail((await claim()).run, processingError, 0);
    await startBy('e', 'one');
    await store.jobs.cancel('one', 'me');
    expect((await startBy('e', 'one')).isNew).toBe(true);
    for (let restarts = 1; restarts <= 3; restarts += 1) {
      await fail();
      expect((await startBy('e', 'one')).isNew).toBe(true);
    }
    await startBy('e', 'two');
    await store.jobs.cancel('two', 'me');
    await fail();
    await expect(startBy('e', 'one')).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(startBy('e', 'two')).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await stateOf('two')).toBe('failed');
  });

  test('counts no restart of a visitor whose job failed because too many waited', async () => {
    const startBy = visitorStarts({ atOnce: 100, perDay: 2, storedSize: 1e9 });
    await start('first');
    await start('second');
    await startBy('f', 'one');
    for (let restarts = 1; restarts <= 5; restarts += 1) {
      expect(await startBy('f', 'one')).toMatchObject({ isNew: true, finishedJob: { error_code: 'at_capacity' } });
    }
    await startBy('f', 'two');
    await expect(startBy('f', 'three')).rejects.toMatchObject({ code: 'rate_limited' });
  });

  test('accepts exactly as many concurrent jobs of a visitor as allowed', async () => {
    const startBy = visitorStarts({ atOnce: 100, perDay: 3, storedSize: 1e9 });
    const starts = Array.from({ length: 10 }, (_, index) =>
      startBy('d', `job-${index}`).then(
        () => 1,
        () => 0,
      ),
    );
    expect((await Promise.all(starts)).reduce<number>((sum, one) => sum + one, 0)).toBe(3);
  });

  test('counts the jobs of a visitor for each network, of which wider ones may have more', async () => {
    await store.queue.heartbeat(worker, 100, noProgress);
    const inOne = visitorStarts({ atOnce: 1, perDay: 100, storedSize: 1e9 });
    for (const id of ['one', 'two', 'three', 'four']) await inOne(`wide.middle.${id}`, id);
    await expect(inOne('wide.middle.one', 'five')).rejects.toMatchObject({ message: /^You have 1 unfinished jobs/ });
    await expect(inOne('wide.middle.five', 'five')).rejects.toMatchObject({
      message: /^Your network has 4 unfinished jobs/,
    });
    expect((await inOne('wide.other.five', 'five')).isNew).toBe(true);

    const aDay = visitorStarts({ atOnce: 100, perDay: 1, storedSize: 1e9 });
    await expect(aDay('wide.middle.six', 'six')).rejects.toMatchObject({
      message: /^Your network has started 4 jobs within a day/,
    });
    for (let count = 5; count < 16; count += 1) await aDay(`wide.other-${count}.one`, `job-${count}`);
    await expect(aDay('wide.other-16.one', 'job-16')).rejects.toMatchObject({
      message: /^Your network has started 16 jobs within a day/,
    });
    expect((await aDay('wider.middle.one', 'job-16')).isNew).toBe(true);
  });

  test('accepts exactly as many concurrent jobs of a network as allowed', async () => {
    const startBy = visitorStarts({ atOnce: 100, perDay: 1, storedSize: 1e9 });
    const starts = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => startBy(`w.m.${index}`, `job-${index}`)),
    );
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
  });

  test('fails immediately if too many jobs wait, and can be repeated', async () => {
    for (const id of ['one', 'two']) await start(id);
    expect(await start('three')).toMatchObject({ isNew: true, finishedJob: { id: 'three', state: 'failed' } });
    expect(await statusOf(store, 'three')).toMatchObject({ state: 'failed', error_code: 'at_capacity' });
    await claim();
    expect((await start('three')).isNew).toBe(true);
    expect(await stateOf('three')).toBe('queued');
  });

  test('fails jobs of visitors as soon as they fill half of the queue, and accepts those of keys', async () => {
    const startBy = visitorStarts({ atOnce: 100, perDay: 100, storedSize: 1e9 });
    await startBy('e', 'one');
    expect(await startBy('f', 'two')).toMatchObject({ finishedJob: { id: 'two', error_code: 'at_capacity' } });
    await start('three');
    expect(await stateOf('three')).toBe('queued');
    await claim();
    expect(await startBy('f', 'two')).not.toHaveProperty('finishedJob');
  });

  test('counts a job with a free slot as running, although no worker has claimed it yet', async () => {
    await store.queue.heartbeat(worker, 1, noProgress);
    for (const id of ['one', 'two', 'three', 'four']) await start(id);
    const states = await Promise.all(['one', 'two', 'three', 'four'].map(stateOf));
    expect(states).toEqual(['pending', 'queued', 'queued', 'failed']);
  });

  test('restarts a failed job from scratch', async () => {
    await start('one');
    await store.queue.fail((await claim()).run, processingError, 12);
    expect(await statusOf(store, 'one')).toMatchObject({ state: 'failed', error: 'it broke', progress: 12 });
    expect(await start('one')).toMatchObject({ isNew: true, message: 'The job had failed and was restarted.' });
    expect(await statusOf(store, 'one')).toMatchObject({ state: 'queued', error: null, progress: 0 });
    expect((await claim()).previousRun).toBeUndefined();
  });

  test('restarts a stalled job, whose former run can no longer change anything', async () => {
    await start('one');
    const { run } = await claim();
    await store.passWithoutHeartbeat(31_000);
    expect(await start('one')).toMatchObject({ isNew: true, message: 'The job had stalled and was restarted.' });
    expect(await store.queue.enterStage(run, 'processing', 50)).toBe(false);
    expect(await store.queue.complete(run, { key: run, ...file })).toBe(false);
    expect(await stateOf('one')).toBe('queued');
  });

  test('attaches to a done job with its file, and extends it if the new ttl ends later', async () => {
    await store.jobs.start(jobWithId('one', 3_600_000), 'me');
    const { run } = await claim();
    await store.queue.complete(run, { key: run, ...file });
    const before = (await statusOf(store, 'one')).expires_at;
    expect(await start('one')).toMatchObject({ isNew: false, finishedJob: { state: 'done', file_key: run } });
    expect((await statusOf(store, 'one')).expires_at).toEqual(before);
    await store.jobs.start(jobWithId('one', 7_200_000), 'me');
    expect((await statusOf(store, 'one')).expires_at.getTime()).toBeGreaterThan(before.getTime() + 3_500_000);
    expect(await stateOf('one')).toBe('done');
  });

  test('replaces an expired job of any owner', async () => {
    await start('one', 'you');
    await store.queue.complete((await claim()).run, { key: 'old', ...file });
    await store.expireAll();
    expect((await start('one')).isNew).toBe(true);
    expect(await statusOf(store, 'one')).toMatchObject({ state: 'queued', file_key: null });
    expect(await store.files.find('old')).toBeUndefined();
  });

  test('creates one job for many concurrent calls', async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => start('one')));
    expect(outcomes.filter(({ isNew }) => isNew)).toHaveLength(1);
  });

  test('attaches by an expired execution URL only to an existing job', async () => {
    expect(await store.jobs.attach('one', 'me')).toBeUndefined();
    await start('one');
    expect(await store.jobs.attach('one', 'me')).toMatchObject({ isNew: false });
    await expect(store.jobs.attach('one', 'you')).rejects.toMatchObject({ code: 'forbidden' });
    await store.queue.fail((await claim()).run, processingError, 0);
    expect(await store.jobs.attach('one', 'me')).toBeUndefined();
  });

  test('is predicted correctly from the states of the jobs', async () => {
    expect(await store.startConditions.existing('one')).toBeUndefined();
    await start('one');
    await start('two');
    expect(await store.startConditions.existing('one')).toEqual({
      owner: 'me',
      state: 'queued',
      expired: false,
      stalled: false,
      failure: null,
    });
    expect(await store.startConditions.load('one', 'me', false)).toEqual({
      backlog: 2,
      tenantWaiting: 2,
      unfinishedJobs: 1,
    });
    expect(await store.startConditions.load('one', 'me', true)).toMatchObject({ backlog: 2, tenantWaiting: 0 });
  });
});
