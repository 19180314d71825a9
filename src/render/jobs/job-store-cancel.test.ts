import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { claimNext, type TestJobStore, jobWithId, jobStoreImplementations, statusOf, implementationNames } from '../testing/job-store-implementations.ts';

const worker = '00000000-0000-4000-8000-000000000001';
const file = { name: 'a.mp4', size: 5, link: 'link', notes: [] };
const broken = new MillraceError('processing_failed', 'it broke');
const over = { state: 'failed', error: 'Cancelled by its owner', error_code: 'cancelled' };

describe.each(implementationNames)('cancelling a job in %s', (name) => {
  let world: TestJobStore;
  let heard: string[];
  let stops: readonly (() => Promise<void>)[];
  const cancel = (id = 'one', owner = 'me') => world.jobs.cancel(id, owner);
  const claim = () => claimNext(world, worker);

  beforeAll(async () => {
    world = await jobStoreImplementations[name](10);
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await world.clear();
    heard = [];
    const channels = ['render_final', 'render_cancelled'];
    const listen = (channel: string) => world.statuses.listen(channel, (text) => heard.push(`${channel} ${text}`));
    stops = await Promise.all(channels.map(listen));
    await world.jobs.start(jobWithId('one'), 'me');
    return async () => {
      for (const stop of stops) await stop();
    };
  });

  test('that waits ends it: no worker claims it, and subscribers are notified', async () => {
    expect(await cancel()).toBe('cancelled');
    expect(await statusOf(world, 'one')).toMatchObject(over);
    expect(await world.queue.claim(worker)).toBeUndefined();
    await expect.poll(() => heard).toEqual(['render_final one']);
  });

  test('that runs takes its run away', async () => {
    const { run } = await claim();
    await world.queue.heartbeat(worker, 1, new Map([[run, 33]]));
    expect(await cancel()).toBe('cancelled');
    expect(await world.queue.heartbeat(worker, 1, new Map([[run, 34]]))).toEqual(new Set());
    expect(await world.queue.enterStage(run, 'processing', 50)).toBe(false);
    expect(await world.queue.complete(run, { key: run, ...file })).toBe(false);
    await world.queue.fail(run, broken, 60);
    expect(await world.queue.requeue(run)).toBe(false);
    expect(await statusOf(world, 'one')).toMatchObject({ ...over, progress: 33 });
    await expect.poll(() => heard.toSorted()).toEqual([`render_cancelled ${run}`, 'render_final one']);
  });

  test('that was handed back keeps nothing to go on with', async () => {
    const { run } = await claim();
    await world.queue.requeue(run);
    expect(await world.queue.resumableRuns(worker)).toEqual(new Set([run]));
    expect(await cancel()).toBe('cancelled');
    expect(await world.queue.resumableRuns(worker)).toEqual(new Set());
    await expect.poll(() => heard.toSorted()).toEqual([`render_cancelled ${run}`, 'render_final one']);
  });

  test('twice says the same, and changes nothing', async () => {
    await cancel();
    const before = await statusOf(world, 'one');
    expect(await cancel()).toBe('cancelled');
    expect(await statusOf(world, 'one')).toEqual(before);
  });

  test.each(['done', 'failed'])('that is %s leaves it as it is', async (end) => {
    const { run } = await claim();
    if (end === 'done') await world.queue.complete(run, { key: run, ...file });
    else await world.queue.fail(run, broken, 60);
    const before = await statusOf(world, 'one');
    expect(await cancel()).toBe('already_finished');
    expect(await statusOf(world, 'one')).toEqual(before);
  });

  test('of someone else is refused', async () => {
    await expect(cancel('one', 'you')).rejects.toMatchObject({ code: 'forbidden', status: 403 });
    expect(await statusOf(world, 'one')).toMatchObject({ error: null });
  });

  test.each(['none', '', '\u0000', '../one', 'o'.repeat(200), "' or true --"])('finds no job %j', async (id) => {
    await expect(cancel(id)).rejects.toMatchObject({ code: 'not_found', status: 404 });
  });

  test('that has expired finds none', async () => {
    await world.expireAll();
    await expect(cancel()).rejects.toMatchObject({ code: 'not_found' });
  });

  test('does not keep it from being started again, and its former run can change nothing', async () => {
    const { run } = await claim();
    await cancel();
    expect((await world.jobs.start(jobWithId('one'), 'me')).isNew).toBe(true);
    expect(await statusOf(world, 'one')).toMatchObject({ state: 'queued', error: null, progress: 0 });
    const again = await claim();
    expect(again.previousRun).toBeUndefined();
    expect(await world.queue.complete(run, { key: run, ...file })).toBe(false);
    expect(await world.queue.complete(again.run, { key: again.run, ...file })).toBe(true);
    expect(await cancel()).toBe('already_finished');
  });
});
