import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { parseJob } from '../../contract/parse-job.ts';
import type { Database } from '../../database/database.ts';
import { openTestDatabase, type TestDatabase } from '../../database/testing/test-database.ts';
import { createSealer } from '../../sealing/sealer.ts';
import { type Jobs, openJobs } from './jobs.ts';
import { openQueue, type Queue } from './queue/queue.ts';

const worker = '00000000-0000-4000-8000-000000000001';
const file = { name: 'a.mp4', size: 5, link: 'link', notes: [] };
const processingError = new MillraceError('processing_failed', 'it broke');
const noProgress = new Map<string, number>();

function job(id: string, ttl = 180_000) {
  return parseJob({
    id,
    inputs: [{ url: 'https://cdn.example/a.mp4', ext: 'mp4', requestOptions: { headers: { cookie: 'secret=1' } } }],
    output: { ext: 'mp4' },
    operation: { type: 'convert_format' },
    ttl,
  });
}

let database: TestDatabase;
let jobs: Jobs;
/** The database connection of another node. */
let other: Database;
let jobsElsewhere: Jobs;
let queue: Queue;

beforeAll(async () => {
  database = await openTestDatabase();
  const sealer = createSealer(['a secret for these tests']);
  jobs = openJobs(database, sealer, 2);
  queue = openQueue(database, sealer);
  other = await database.openAnother();
  jobsElsewhere = openJobs(other, sealer, 2);
});
afterAll(async () => {
  await other.close();
  await database.close();
});
beforeEach(async () => {
  for (const table of ['render_jobs', 'render_progress', 'workers', 'file_deletions']) {
    await database.query(`delete from ${table}`);
  }
});

async function row(id: string) {
  const [result] = await database.query<Record<string, unknown> & { expires_at: Date }>(
    'select * from render_jobs where id = $1',
    [id],
  );
  if (result === undefined) throw new Error(`there is no job ${id}`);
  return result;
}

async function claim() {
  const job = await queue.claim(worker);
  if (job === undefined) throw new Error('no job is waiting');
  return job;
}

describe('starting a job', () => {
  test('fails immediately if too many jobs wait, and can be repeated', async () => {
    for (const id of ['one', 'two', 'three']) await jobs.start(job(id), 'me');
    expect(await row('three')).toMatchObject({ state: 'failed' });
    expect((await row('three')).error).toContain('Service at capacity');
    await claim();
    expect((await jobs.start(job('three'), 'me')).isNew).toBe(true);
    expect((await row('three')).state).toBe('queued');
  });

  test('restarts a failed job from scratch', async () => {
    await jobs.start(job('one'), 'me');
    await queue.fail((await claim()).run, processingError, 12);
    expect(await row('one')).toMatchObject({ state: 'failed', error: 'it broke', progress: 12 });
    expect((await jobs.start(job('one'), 'me')).isNew).toBe(true);
    expect(await row('one')).toMatchObject({ state: 'queued', error: null, progress: 0, deaths: 0 });
  });

  test('replaces an expired job of any owner, and deletes its file', async () => {
    await jobs.start(job('one'), 'you');
    const { run } = await claim();
    await queue.complete(run, { key: run, ...file });
    await database.query('update render_jobs set expires_at = now()');
    expect((await jobs.start(job('one'), 'me')).isNew).toBe(true);
    expect(await database.query('select file_key from file_deletions')).toEqual([{ file_key: run }]);
  });
});

describe('two nodes', () => {
  /** Starts jobs on both nodes concurrently; returns the error codes of rejected ones. */
  async function startAll(count: number, owner: (index: number) => string, most?: number) {
    const outcomes = await Promise.allSettled(
      Array.from({ length: count }, (_, index) =>
        (index % 2 === 0 ? jobs : jobsElsewhere).start(
          job(`job-${index}`),
          owner(index),
          most === undefined ? {} : { maxUnfinished: most },
        ),
      ),
    );
    return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
  }
  const count = async (condition: string) => {
    const [row] = await database.query<{ jobs: number }>(
      `select count(*)::integer as jobs from render_jobs where ${condition}`,
    );
    return row?.jobs;
  };

  test('together allow an owner as many unfinished jobs as one node does', async () => {
    await queue.heartbeat(worker, 1_000, noProgress);
    expect(await startAll(40, () => 'me', 5)).toEqual(Array(35).fill('rate_limited'));
    expect(await count(`owner = 'me'`)).toBe(5);
  });

  test('do not block each other for different owners', async () => {
    await queue.heartbeat(worker, 1_000, noProgress);
    expect(await startAll(20, (index) => `owner ${index % 4}`, 5)).toEqual([]);
  });

  test('together allow as many waiting jobs as the limit', async () => {
    await startAll(60, (index) => `owner ${index}`, 5);
    expect(await count(`state = 'queued'`)).toBe(2);
    expect(await count(`error like 'Service at capacity%'`)).toBe(58);
  });

  test('together report a free worker for as many jobs as there are free slots', async () => {
    await queue.heartbeat(worker, 3, noProgress);
    await startAll(4, (index) => `owner ${index}`, 5);
    expect([await count(`state = 'pending'`), await count(`state = 'queued'`)]).toEqual([3, 1]);
  });

  test('create one job for one ID', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? jobs : jobsElsewhere).start(job('one'), 'me', { maxUnfinished: 5 }),
      ),
    );
    expect(outcomes.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await count('true')).toBe(1);
  });
});

// The embedded database is part of the process, so its connection cannot be closed.
describe.skipIf((process.env.TEST_STACK ?? 'embedded') === 'embedded')('a start whose connection is lost', () => {
  /** Returns a database that loses its connection before or after it runs a statement that contains the text `at`. */
  function disconnecting(at: 'insert into render_jobs' | 'pg_notify', when: 'before' | 'after'): Database {
    return {
      ...database,
      transaction: (work, limit) =>
        database.transaction(
          (sql) =>
            work({
              async query<Row>(text: string, parameters?: readonly unknown[]) {
                const disconnect = () =>
                  sql.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
                if (text.includes(at) && when === 'before') await disconnect();
                const rows = await sql.query<Row>(text, parameters);
                if (text.includes(at) && when === 'after') await disconnect();
                return rows;
              },
            }),
          limit,
        ),
    };
  }

  test.each([
    ['insert into render_jobs', 'before'],
    ['insert into render_jobs', 'after'],
    ['pg_notify', 'before'],
    ['pg_notify', 'after'],
  ] as const)(
    'is reported if the loss happens at %s, %s the statement; the same start then creates one job',
    async (at, when) => {
      const disconnectingJobs = openJobs(disconnecting(at, when), createSealer(['a secret for these tests']), 2);
      await expect(disconnectingJobs.start(job('one'), 'me', { maxUnfinished: 1 })).rejects.toMatchObject({
        code: 'service_unavailable',
        status: 503,
      });
      expect(await database.query('select id from render_jobs')).toEqual([]);
      expect((await jobs.start(job('one'), 'me', { maxUnfinished: 1 })).isNew).toBe(true);
      expect(await database.query('select id from render_jobs')).toEqual([{ id: 'one' }]);
    },
  );

  test('attaches to its own job when it is repeated, if the first call had taken effect', async () => {
    const deaf: Database = {
      ...database,
      async transaction(work, limit) {
        await database.transaction(work, limit);
        throw new MillraceError('service_unavailable', 'The answer to commit was lost.');
      },
    };
    const deafJobs = openJobs(deaf, createSealer(['a secret for these tests']), 2);
    await expect(deafJobs.start(job('one'), 'me', { maxUnfinished: 1 })).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    expect(await jobs.start(job('one'), 'me', { maxUnfinished: 1 })).toMatchObject({ jobId: 'one', isNew: false });
  });
});

describe('the queue', () => {
  test('seals descriptions, and erases them when the job is done', async () => {
    await jobs.start(job('one'), 'me');
    expect((await row('one')).description).not.toContain('secret');
    const { run } = await claim();
    await queue.complete(run, { key: run, ...file });
    expect((await row('one')).description).toBeNull();
    expect(await database.query('select 1 from render_progress')).toEqual([]);
  });

  test('requeues the jobs of a lost worker, and fails those that five lost workers ran', async () => {
    await jobs.start(job('one'), 'me');
    for (const state of ['queued', 'queued', 'queued', 'queued', 'failed']) {
      const { run } = await claim();
      await queue.recoverLostRuns(false);
      expect((await row('one')).state).toBe('downloading_inputs');
      await database.query(`update render_progress set beat_at = now() - interval '31 seconds'`);
      await queue.recoverLostRuns(false);
      expect((await row('one')).state).toBe(state);
      expect(await queue.complete(run, { key: run, ...file })).toBe(false);
    }
  });

  test('requeues a job that its worker could not continue, without counting a death', async () => {
    await jobs.start(job('one'), 'me');
    await queue.requeue((await claim()).run);
    expect(await row('one')).toMatchObject({ state: 'queued', deaths: 0, run: null });
  });

  describe('lets a worker resume its jobs', () => {
    const other = '00000000-0000-4000-8000-000000000002';

    test('lets a lost worker resume its jobs immediately after its restart', async () => {
      for (const id of ['one', 'two']) await jobs.start(job(id), 'me');
      const { run } = await claim();
      await queue.claim(other);
      await queue.recoverLostRuns(false, worker);
      expect(await row('one')).toMatchObject({ state: 'queued', deaths: 1 });
      expect(await row('two')).toMatchObject({ state: 'downloading_inputs' });
      expect((await claim()).previousRun).toEqual({ run, progress: 0 });
    });
  });

  test('sets the expiry of a finished job to its end plus ttl', async () => {
    await jobs.start(job('one', 3_600_000), 'me');
    await database.query(`update render_jobs set expires_at = now() + interval '1 minute'`);
    const { run } = await claim();
    await queue.complete(run, { key: run, ...file });
    expect((await row('one')).expires_at.getTime()).toBeGreaterThan(Date.now() + 3_500_000);
  });
});
