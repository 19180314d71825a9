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
const processingError = new MillraceError('processing_failed', 'it broke');

describe.each(implementationNames)('the finished jobs of an owner in %s', (name) => {
  let store: TestJobStore;
  beforeAll(async () => {
    store = await jobStoreImplementations[name](2);
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await store.clear();
    await store.jobs.start(jobWithId('one'), 'me');
  });

  const fail = async () => store.queue.fail((await claimNext(store, worker)).run, processingError, 12);
  const complete = async () => {
    const { run } = await claimNext(store, worker);
    await store.queue.complete(run, { key: run, name: 'a.mp4', size: 5, link: 'link', notes: [] });
    return run;
  };
  const refusal = (code: string, words = '') => ({ code, message: expect.stringContaining(words) });

  describe('retrying', () => {
    test('runs a failed job again with the same description', async () => {
      const first = await claimNext(store, worker);
      await store.queue.fail(first.run, processingError, 12);
      const outcome = await store.jobs.retry('one', 'me', { origin: { requestId: 'the retry' } });
      expect(outcome).toEqual({ jobId: 'one', isNew: true, message: 'The job had failed and was restarted.' });
      expect(await statusOf(store, 'one')).toMatchObject({ state: 'queued', progress: 0, error: null });
      const second = await claimNext(store, worker);
      expect([second.id, second.job, second.origin]).toEqual(['one', first.job, { requestId: 'the retry' }]);
      expect(second.run).not.toBe(first.run);
    });

    test('counts the unfinished jobs of the owner, and fails if the queue is full', async () => {
      await fail();
      await store.jobs.start(jobWithId('two'), 'me');
      await expect(store.jobs.retry('one', 'me', { maxUnfinished: 1 })).rejects.toMatchObject(refusal('rate_limited'));
      expect(await statusOf(store, 'one')).toMatchObject({ state: 'failed', error: 'it broke' });
      await store.jobs.start(jobWithId('three'), 'me');
      const outcome = await store.jobs.retry('one', 'me');
      expect(outcome.finishedJob).toMatchObject({ state: 'failed', error_code: 'at_capacity' });
      await claimNext(store, worker);
      expect(await store.jobs.retry('one', 'me')).not.toHaveProperty('finishedJob');
    });

    test('is refused by the check of its caller, and leaves the job unchanged', async () => {
      await fail();
      const check = ({ inputs }: { inputs: readonly unknown[] }) => {
        throw new MillraceError('blocked', `blocked with ${inputs.length} input`);
      };
      await expect(store.jobs.retry('one', 'me', { check })).rejects.toMatchObject(refusal('blocked', '1 input'));
      expect(await statusOf(store, 'one')).toMatchObject({ state: 'failed', error: 'it broke' });
    });

    test('is refused for a job that is unfinished, done, cancelled, unknown or of another owner', async () => {
      const retry = (id = 'one', owner = 'me') => store.jobs.retry(id, owner);
      await expect(retry()).rejects.toMatchObject(refusal('conflict', 'is in progress'));
      await expect(retry('none')).rejects.toMatchObject(refusal('not_found'));
      await expect(retry('\u0000')).rejects.toMatchObject(refusal('not_found'));
      await complete();
      await expect(retry()).rejects.toMatchObject(refusal('conflict', 'is done'));
      await expect(retry('one', 'another')).rejects.toMatchObject(refusal('forbidden'));
      await store.jobs.start(jobWithId('two'), 'me');
      await store.jobs.cancel('two', 'me');
      await expect(retry('two')).rejects.toMatchObject(refusal('conflict', 'was cancelled'));
    });
  });

  describe('deleting', () => {
    test('removes a done job, and its file is no longer found', async () => {
      const key = await complete();
      expect(await store.files.find(key)).toBeDefined();
      expect(await store.jobs.deleteFinished('one', 'me')).toMatchObject({ id: 'one', state: 'done', file_key: key });
      expect(await store.files.find(key)).toBeUndefined();
      expect(await store.statuses.read(['one'])).toEqual(new Map());
      await expect(store.jobs.deleteFinished('one', 'me')).rejects.toMatchObject(refusal('not_found'));
      expect((await store.jobs.start(jobWithId('one'), 'another')).isNew).toBe(true);
    });

    test('removes a failed or cancelled job', async () => {
      await fail();
      expect(await store.jobs.deleteFinished('one', 'me')).toMatchObject({ state: 'failed', file_key: null });
      await store.jobs.start(jobWithId('two'), 'me');
      await store.jobs.cancel('two', 'me');
      expect(await store.jobs.deleteFinished('two', 'me')).toMatchObject({ error_code: 'cancelled' });
      expect(await store.statuses.read(['one', 'two'])).toEqual(new Map());
    });

    test('leaves an unfinished job and a job of another owner', async () => {
      expect(await store.jobs.deleteFinished('one', 'me')).toBeUndefined();
      await fail();
      await expect(store.jobs.deleteFinished('one', 'another')).rejects.toMatchObject(refusal('forbidden'));
      expect(await statusOf(store, 'one')).toMatchObject({ state: 'failed' });
    });
  });
});
