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
/** Those of another node, with connections of its own. */
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
  test('fails at once over the number that may wait, and can be started again', async () => {
    for (const id of ['one', 'two', 'three']) await jobs.start(job(id), 'me');
    expect(await row('three')).toMatchObject({ state: 'failed', description: null });
    expect((await row('three')).error).toContain('Service at capacity');
    await claim();
    expect((await jobs.start(job('three'), 'me')).isNew).toBe(true);
    expect((await row('three')).state).toBe('queued');
  });

  test('restarts a failed job from scratch', async () => {
    await jobs.start(job('one'), 'me');
    await queue.fail((await claim()).run, processingError, 12);
    expect(await row('one')).toMatchObject({ state: 'failed', error: 'it broke', progress: 12, description: null });
    expect((await jobs.start(job('one'), 'me')).isNew).toBe(true);
    expect(await row('one')).toMatchObject({ state: 'queued', error: null, progress: 0, deaths: 0 });
  });

  test('takes the place of an expired job, whoever owned it, and its file is deleted', async () => {
    await jobs.start(job('one'), 'you');
    const { run } = await claim();
    await queue.complete(run, { key: run, ...file });
    await database.query('update render_jobs set expires_at = now()');
    expect((await jobs.start(job('one'), 'me')).isNew).toBe(true);
    expect(await database.query('select file_key from file_deletions')).toEqual([{ file_key: run }]);
  });
});

describe('two nodes', () => {
  /** Starts jobs on both at the same time; gives the codes of those that were refused. */
  async function startAll(count: number, owner: (index: number) => string, most?: number) {
    const outcomes = await Promise.allSettled(
      Array.from({ length: count }, (_, index) =>
        (index % 2 === 0 ? jobs : jobsElsewhere).start(job(`job-${index}`), owner(index), most),
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

  test('let an owner have as many unfinished jobs together as one does', async () => {
    await queue.heartbeat(worker, 1_000, noProgress);
    expect(await startAll(40, () => 'me', 5)).toEqual(Array(35).fill('rate_limited'));
    expect(await count(`owner = 'me'`)).toBe(5);
  });

  test('do not make owners wait for each other', async () => {
    await queue.heartbeat(worker, 1_000, noProgress);
    expect(await startAll(20, (index) => `owner ${index % 4}`, 5)).toEqual([]);
  });

  test('let as many jobs wait as may', async () => {
    await startAll(60, (index) => `owner ${index}`, 5);
    expect(await count(`state = 'queued'`)).toBe(2);
    expect(await count(`error like 'Service at capacity%'`)).toBe(58);
  });

  test('tell as many jobs that a worker is free as there are free slots', async () => {
    await queue.heartbeat(worker, 3, noProgress);
    await startAll(4, (index) => `owner ${index}`, 5);
    expect([await count(`state = 'pending'`), await count(`state = 'queued'`)]).toEqual([3, 1]);
  });

  test('make one job of one id', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? jobs : jobsElsewhere).start(job('one'), 'me', 5)),
    );
    expect(outcomes.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await count('true')).toBe(1);
  });
});

// The embedded database is part of the process: no connection can be cut.
describe.skipIf((process.env.TEST_STACK ?? 'embedded') === 'embedded')('a start whose connection is cut', () => {
  /** A database that loses its connections when a statement holds a text: before it runs, or after it has. */
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
  ] as const)('at %s, %s it, is told as that, and the same start makes one job', async (at, when) => {
    const disconnectingJobs = openJobs(disconnecting(at, when), createSealer(['a secret for these tests']), 2);
    await expect(disconnectingJobs.start(job('one'), 'me', 1)).rejects.toMatchObject({
      code: 'service_unavailable',
      status: 503,
    });
    expect(await database.query('select id from render_jobs')).toEqual([]);
    expect((await jobs.start(job('one'), 'me', 1)).isNew).toBe(true);
    expect(await database.query('select id from render_jobs')).toEqual([{ id: 'one' }]);
  });

  test('after it took effect attaches to the job it made', async () => {
    const deaf: Database = {
      ...database,
      async transaction(work, limit) {
        await database.transaction(work, limit);
        throw new MillraceError('service_unavailable', 'The answer to commit was lost.');
      },
    };
    const deafJobs = openJobs(deaf, createSealer(['a secret for these tests']), 2);
    await expect(deafJobs.start(job('one'), 'me', 1)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await jobs.start(job('one'), 'me', 1)).toMatchObject({ jobId: 'one', isNew: false });
  });
});

describe('the queue', () => {
  test('keeps descriptions sealed, and erases them at the end', async () => {
    await jobs.start(job('one'), 'me');
    expect((await row('one')).description).not.toContain('secret');
    const { run } = await claim();
    await queue.complete(run, { key: run, ...file });
    expect((await row('one')).description).toBeNull();
    expect(await database.query('select 1 from render_progress')).toEqual([]);
  });

  test('puts the jobs of a lost worker back; those that five lost workers ran fail', async () => {
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
    expect((await row('one')).description).toBeNull();
  });

  test('takes a job back that its worker could not carry on with, without counting a death', async () => {
    await jobs.start(job('one'), 'me');
    await queue.requeue((await claim()).run);
    expect(await row('one')).toMatchObject({ state: 'queued', deaths: 0, run: null });
  });

  describe('lets a worker go on with what it had', () => {
    const other = '00000000-0000-4000-8000-000000000002';

    test('at once when it begins anew after it was lost', async () => {
      for (const id of ['one', 'two']) await jobs.start(job(id), 'me');
      const { run } = await claim();
      await queue.claim(other);
      await queue.recoverLostRuns(false, worker);
      expect(await row('one')).toMatchObject({ state: 'queued', deaths: 1 });
      expect(await row('two')).toMatchObject({ state: 'downloading_inputs' });
      expect((await claim()).previousRun).toEqual({ run, progress: 0 });
    });
  });

  test('moves the expiry of a finished job to its end plus ttl', async () => {
    await jobs.start(job('one', 3_600_000), 'me');
    await database.query(`update render_jobs set expires_at = now() + interval '1 minute'`);
    const { run } = await claim();
    await queue.complete(run, { key: run, ...file });
    expect((await row('one')).expires_at.getTime()).toBeGreaterThan(Date.now() + 3_500_000);
  });
});
