import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import type { RenderStatusEvent } from '../../contract/job-status.ts';
import { parseJob } from '../../contract/parse-job.ts';
import type { Database } from '../../database/database.ts';
import { openTestDatabase } from '../../database/testing/test-database.ts';
import { createSealer } from '../../sealing/sealer.ts';
import { statusEvent } from '../status/status-event.ts';
import { type Jobs, openJobs } from './jobs.ts';
import type { ClaimedJob } from './queue/claim-job.ts';
import { openQueue, type Queue } from './queue/queue.ts';
import { readStatusRows } from './status-row.ts';

const worker = '00000000-0000-4000-8000-000000000001';
const sealer = createSealer(['a secret for these tests']);
const none = { error: null, error_code: null, retryable: null, input: null };

let database: Database;
let jobs: Jobs;
let queue: Queue;

beforeAll(async () => {
  database = await openTestDatabase();
  jobs = openJobs(database, sealer, 100);
  queue = openQueue(database, sealer);
});
afterAll(() => database.close());
beforeEach(() => database.query('delete from render_jobs'));

const job = parseJob({
  id: 'one',
  inputs: [{ url: 'https://cdn.example/a.mp4', ext: 'mp4' }],
  output: { ext: 'mp4' },
  operation: { type: 'convert_format' },
});

async function claim(): Promise<ClaimedJob> {
  const job = await queue.claim(worker);
  if (job === undefined) throw new Error('no job waits');
  return job;
}

async function event(): Promise<RenderStatusEvent> {
  const row = (await readStatusRows(database, ['one'])).get('one');
  if (row === undefined) throw new Error('there is no job');
  return statusEvent(row, (link) => `https://files.example/${link}`);
}

describe('the failure of a job', () => {
  test('matches the error, even if it differs from the catalogue entry for its code', async () => {
    await jobs.start(job, 'me');
    const error = new MillraceError('processing_failed', 'No.', { input: 1, retryable: false });
    await queue.fail((await claim()).run, error, 10);
    expect(await event()).toMatchObject({ error: 'No.', error_code: 'processing_failed', retryable: false, input: 1 });
  });

  test('is stored when its workers were lost', async () => {
    await jobs.start(job, 'me');
    for (let death = 0; death < 5; death += 1) {
      expect(await event()).toMatchObject({ status: 'queued', ...none });
      await claim();
      await queue.recoverLostRuns(true);
    }
    expect(await event()).toMatchObject({ status: 'failed', error_code: 'worker_lost', retryable: true, input: null });
  });

  test('is stored when the owner cancelled the job', async () => {
    await jobs.start(job, 'me');
    await jobs.cancel('one', 'me');
    const error = { error: 'Cancelled by its owner', error_code: 'cancelled', retryable: false, input: null };
    expect(await event()).toMatchObject(error);
  });

  test("is stored when the job's description can no longer be opened", async () => {
    await openJobs(database, createSealer(['another secret for these tests']), 100).start(job, 'me');
    expect(await queue.claim(worker)).toBeUndefined();
    expect(await event()).toMatchObject({ status: 'failed', error_code: 'unexpected_error', retryable: true });
  });

  test('is stored when too many jobs wait, returned by the start, and cleared by a restart', async () => {
    const { finishedJob } = await openJobs(database, sealer, 0).start(job, 'me');
    expect(finishedJob).toMatchObject({
      state: 'failed',
      error_code: 'at_capacity',
      retryable: true,
      error_input: null,
    });
    expect(await event()).toMatchObject({ status: 'failed', error_code: 'at_capacity', retryable: true });
    expect(await jobs.start(job, 'me')).not.toHaveProperty('finishedJob');
    expect(await event()).toMatchObject(none);
  });
});

test.each([
  ['Cancelled by its owner', 'cancelled', false],
  ['The source answered 404.', 'other', true],
])('a job that ended with "%s" before failures had codes has the code %s', async (error, code, retryable) => {
  await jobs.start(job, 'me');
  await database.query(`update render_jobs set state = 'failed', error = $1`, [error]);
  expect(await event()).toMatchObject({ error, error_code: code, retryable, input: null });
});

describe('the notes of a file', () => {
  const notes = [
    { code: 'stream_left_out', message: 'What a name may hold: \0 \ud800 \u{1f600} " \\', input: 0 },
    { code: 'index_at_end', message: 'The index is at the end.' },
  ] as const;

  test('are stored unchanged, and reported by every later start', async () => {
    await jobs.start(job, 'me');
    const { run } = await claim();
    await queue.complete(run, { key: run, name: 'a.mp4', size: 5, link: 'link', notes });
    expect((await event()).output?.notes).toEqual(notes);
    expect((await jobs.start(job, 'me')).finishedJob?.notes).toEqual(notes);
    expect((await jobs.attach('one', 'me'))?.finishedJob?.notes).toEqual(notes);
  });

  test('are an empty list if the version that created the file stored none', async () => {
    await jobs.start(job, 'me');
    const { run } = await claim();
    await queue.complete(run, { key: run, name: 'a.mp4', size: 5, link: 'link', notes });
    await database.query('update render_jobs set notes = null');
    expect(await event()).toMatchObject({ status: 'done', ...none, output: { notes: [] } });
  });
});
