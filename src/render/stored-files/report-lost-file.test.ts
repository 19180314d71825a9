import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { missingFile, wrongSize } from '../../storage/lost-file-error.ts';
import type { Storage } from '../../storage/storage.ts';
import { finalChannel } from '../jobs/job-states.ts';
import { failLostFiles } from '../jobs/lost-files.ts';
import { resultFilesOf } from '../jobs/result-files.ts';
import { readStatusRows } from '../jobs/status-row.ts';
import { type JobDatabase, openJobDatabase, testJob } from '../testing/job-database.ts';
import { reportLostFile } from './report-lost-file.ts';

const worker = '00000000-0000-4000-8000-000000000001';
let store: JobDatabase;

beforeAll(async () => {
  store = await openJobDatabase(10);
});
afterAll(() => store.close());
beforeEach(() => store.clear());

const job = (webhook?: { url: string; secret: string }) => testJob('one', webhook === undefined ? {} : { webhook });

/** Completes a job with a file. Returns the file's key. */
async function completeJob(webhook?: { url: string; secret: string }): Promise<string> {
  await store.jobs.start(job(webhook), 'me');
  const run = (await store.queue.claim(worker))?.run ?? '';
  await store.queue.complete(run, { key: run, name: 'a.mp4', size: 6, link: 'sealed', notes: [] });
  return run;
}

const lostFailure = { state: 'failed', error_code: 'file_lost', retryable: true };

test('fails the job of a lost file, deletes the file, notifies subscribers once, and lets a start run it again', async () => {
  const key = await completeJob();
  const jobIds: string[] = [];
  const stop = await store.database.listen(finalChannel, (id) => jobIds.push(id));
  expect(await failLostFiles(store.database, [key, 'unknown'])).toBe(1);
  expect(await failLostFiles(store.database, [key])).toBe(0);
  expect((await readStatusRows(store.database, ['one'])).get('one')).toMatchObject(lostFailure);
  expect(await store.database.query('select file_key from file_deletions')).toEqual([{ file_key: key }]);
  await expect.poll(() => jobIds).toEqual(['one']);
  await stop();
  expect(await store.jobs.start(job(), 'me')).toMatchObject({ isNew: true });
  expect(await store.queue.claim(worker)).toMatchObject({ id: 'one' });
});

test("does not send the job's webhook again", async () => {
  const key = await completeJob({
    url: 'https://hooks.example/',
    secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  });
  const before = await store.database.query(
    `update render_webhooks set state = 'delivered', due_at = null returning *`,
  );
  await failLostFiles(store.database, [key]);
  expect(before).toHaveLength(1);
  expect(await store.database.query('select * from render_webhooks')).toEqual(before);
});

/** Reports a lost file while the store is available or unavailable. `storedAt`: the result of the second look-up. */
async function report(key: string, fault: 'missing' | 'damaged', isThere: boolean, storedAt?: Date): Promise<number> {
  let lostCount = 0;
  const check = async () => {
    if (!isThere) throw new Error('the store is not mounted');
  };
  await reportLostFile(key, fault === 'missing' ? missingFile(key) : wrongSize(key, '3', 6), {
    files: resultFilesOf(store.database),
    storage: { check, storedAt: async () => storedAt } as Partial<Storage> as Storage,
    metrics: {
      filesLost: (count) => {
        lostCount += count;
      },
    },
    log: { error: () => undefined },
  });
  return lostCount;
}

test('reports no file as lost while the store is unavailable', async () => {
  const key = await completeJob();
  await expect(report(key, 'missing', false)).rejects.toMatchObject({ code: 'service_unavailable' });
  expect((await readStatusRows(store.database, ['one'])).get('one')).toMatchObject({ state: 'done' });
});

test('does not report a file as lost that exists once the store is back', async () => {
  const key = await completeJob();
  await expect(report(key, 'missing', true, new Date())).rejects.toMatchObject({ code: 'service_unavailable' });
  expect((await readStatusRows(store.database, ['one'])).get('one')).toMatchObject({ state: 'done' });
  expect(await store.database.query('select file_key from file_deletions')).toEqual([]);
});

test.each([
  ['missing', true],
  ['damaged', true],
  ['damaged', false],
] as const)('reports a file that is %s as lost, and counts it once', async (fault, isThere) => {
  const key = await completeJob();
  expect(await report(key, fault, isThere)).toBe(1);
  expect(await report(key, fault, isThere)).toBe(0);
  expect((await readStatusRows(store.database, ['one'])).get('one')).toMatchObject(lostFailure);
});
