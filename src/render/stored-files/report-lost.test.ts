import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parseJob } from '../../contract/parse-job.ts';
import type { Database } from '../../database/database.ts';
import { openTestDatabase } from '../../database/testing.ts';
import { createSealer } from '../../sealing/sealing.ts';
import { missingFile, wrongSize } from '../../storage/lost-file-error.ts';
import type { Storage } from '../../storage/storage.ts';
import { type Jobs, openJobs } from '../jobs/jobs.ts';
import { failLostFiles } from '../jobs/lost-files.ts';
import { openQueue, type Queue } from '../jobs/queue/queue.ts';
import { resultFilesOf } from '../jobs/result-files.ts';
import { finalChannel } from '../jobs/states.ts';
import { readStatus } from '../jobs/status-row.ts';
import { reportLost } from './report-lost.ts';

const worker = '00000000-0000-4000-8000-000000000001';
let database: Database;
let jobs: Jobs;
let queue: Queue;

beforeAll(async () => {
  database = await openTestDatabase();
  const sealer = createSealer(['a secret for these tests']);
  jobs = openJobs(database, sealer, 10);
  queue = openQueue(database, sealer);
});
afterAll(() => database.close());
beforeEach(async () => {
  for (const table of ['render_jobs', 'file_deletions']) await database.query(`delete from ${table}`);
});

const job = (webhook?: { url: string; secret: string }) =>
  parseJob({
    id: 'one',
    inputs: [{ url: 'https://cdn.example/a.mp4', ext: 'mp4' }],
    output: { ext: 'mp4' },
    operation: { type: 'convert_format' },
    ...(webhook === undefined ? {} : { webhook }),
  });

/** Brings a job to its end, with a file. Returns the file's key. */
async function done(webhook?: { url: string; secret: string }): Promise<string> {
  await jobs.start(job(webhook), 'me');
  const run = (await queue.claim(worker))?.run ?? '';
  await queue.complete(run, { key: run, name: 'a.mp4', size: 6, link: 'sealed', notes: [] });
  return run;
}

const lostFailure = { state: 'failed', error_code: 'file_lost', retryable: true };

test('the job of a lost file fails, its file is deleted, subscribers are notified once, and a start runs it again', async () => {
  const key = await done();
  const heard: string[] = [];
  const stop = await database.listen(finalChannel, (id) => heard.push(id));
  expect(await failLostFiles(database, [key, 'unknown'])).toBe(1);
  expect(await failLostFiles(database, [key])).toBe(0);
  expect((await readStatus(database, ['one'])).get('one')).toMatchObject(lostFailure);
  expect(await database.query('select file_key from file_deletions')).toEqual([{ file_key: key }]);
  await expect.poll(() => heard).toEqual(['one']);
  await stop();
  expect(await jobs.start(job(), 'me')).toMatchObject({ fresh: true });
  expect(await queue.claim(worker)).toMatchObject({ id: 'one' });
});

test('its webhook is not due again', async () => {
  const key = await done({ url: 'https://hooks.example/', secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` });
  const before = await database.query(`update render_webhooks set state = 'delivered', due_at = null returning *`);
  await failLostFiles(database, [key]);
  expect(before).toHaveLength(1);
  expect(await database.query('select * from render_webhooks')).toEqual(before);
});

/** Reports a loss to a store that is there, or is not. `storedAt`: what a second look finds. */
async function report(key: string, fault: 'missing' | 'damaged', isThere: boolean, storedAt?: Date): Promise<number> {
  let counted = 0;
  const check = async () => {
    if (!isThere) throw new Error('the store is not mounted');
  };
  await reportLost(key, fault === 'missing' ? missingFile(key) : wrongSize(key, '3', 6), {
    files: resultFilesOf(database),
    storage: { check, storedAt: async () => storedAt } as Partial<Storage> as Storage,
    metrics: {
      filesLost: (count) => {
        counted += count;
      },
    },
    log: { error: () => undefined },
  });
  return counted;
}

test('no file is lost while the store is away', async () => {
  const key = await done();
  await expect(report(key, 'missing', false)).rejects.toMatchObject({ code: 'service_unavailable' });
  expect((await readStatus(database, ['one'])).get('one')).toMatchObject({ state: 'done' });
});

test('a file is not lost that is there again once the store is back', async () => {
  const key = await done();
  await expect(report(key, 'missing', true, new Date())).rejects.toMatchObject({ code: 'service_unavailable' });
  expect((await readStatus(database, ['one'])).get('one')).toMatchObject({ state: 'done' });
  expect(await database.query('select file_key from file_deletions')).toEqual([]);
});

test.each([
  ['missing', true],
  ['damaged', true],
  ['damaged', false],
] as const)('a file that is %s is lost, and counted once', async (fault, isThere) => {
  const key = await done();
  expect(await report(key, fault, isThere)).toBe(1);
  expect(await report(key, fault, isThere)).toBe(0);
  expect((await readStatus(database, ['one'])).get('one')).toMatchObject(lostFailure);
});
