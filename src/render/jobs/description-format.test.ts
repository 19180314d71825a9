import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseJob } from '../../contract/parse-job.ts';
import type { Database } from '../../database/database.ts';
import { openTestDatabase } from '../../database/testing/test-database.ts';
import { createSealer } from '../../sealing/sealer.ts';
import { readableFormat, requiredFormat } from './description-format.ts';
import { type Jobs, openJobs } from './jobs.ts';
import { openQueue } from './queue/queue.ts';
import { sealJob } from './sealed-job.ts';
import { openStoredDescriptions } from './stored-descriptions.ts';

const newer = readableFormat + 1;
const sealer = createSealer(['a secret for these tests']);
const workers = { old: '00000000-0000-4000-8000-000000000001', present: '00000000-0000-4000-8000-000000000002' };
const newerWorker = '00000000-0000-4000-8000-000000000003';
const job = (id: string) =>
  parseJob({
    id,
    inputs: [{ url: 'https://cdn.example/a.mp4', ext: 'mp4' }],
    output: { ext: 'mp4' },
    operation: { type: 'convert_format' },
  });

let database: Database;
let jobs: Jobs;

beforeAll(async () => {
  database = await openTestDatabase();
  jobs = openJobs(database, sealer, 100);
});
afterAll(() => database.close());
beforeEach(async () => {
  for (const table of ['render_jobs', 'render_progress', 'workers']) await database.query(`delete from ${table}`);
});

/** Starts a job as a newer version would, with a member that this version does not know. */
async function startNewer(id: string): Promise<void> {
  await jobs.start(job(id), 'me');
  const { format, description } = sealJob(sealer, job(id), newer);
  await database.query('update render_jobs set format = $2, description = $3 where id = $1', [id, format, description]);
}

describe('requiredFormat for new members', () => {
  const input = { url: 'https://cdn.example/a.mp4', ext: 'mp4' };
  const plain = {
    id: 'one',
    inputs: [input],
    output: { ext: 'mp4', downloadName: 'A' },
    operation: { type: 'convert_format', copyStreams: false },
  };

  test.each<[string, number, object]>([
    ['nothing else', 1, {}],
    ['a clip', 2, { clip: { start: 1 } }],
    ['tags', 2, { output: { ext: 'mp4', metadata: { title: 'A' } } }],
    ['an encoding option', 2, { operation: { ...plain.operation, loudness: -14 } }],
    ['volumes', 3, { inputs: [input, input], operation: { type: 'mix_audio_and_video', volumes: [1, 0.5] } }],
    ['a duration', 3, { inputs: [input, input], operation: { type: 'replace_audio_in_video', duration: 'video' } }],
    ['a language', 2, { inputs: [{ ...input, language: 'de' }] }],
    ['42 inputs', 3, { inputs: Array(42).fill(input), operation: { type: 'join_streams' } }],
    ['a delivery', 3, { output: { ext: 'mp4', putUrl: 'https://bucket.example/a' } }],
    ['a slideshow', 2, { inputs: [{ ...input, ext: 'jpg' }], operation: { type: 'slideshow' } }],
  ])('of a job with %s is %i', (_name, format, members) => {
    expect(requiredFormat(parseJob({ ...plain, ...members }))).toBe(format);
  });
});

/** The statements of version 0.1.0 for a worker's heartbeat and for a claim. */
const version010 = {
  async beat() {
    await database.query(
      `insert into workers (id, slots, beat_at) values ($1, $2, now())
         on conflict (id) do update set beat_at = now(), slots = excluded.slots`,
      [workers.old, 1],
    );
  },
  async claim(): Promise<string | undefined> {
    const [row] = await database.query<{ id: string }>(
      `with taken as (
           update render_jobs
           set state = 'downloading_inputs', worker = $1, run = gen_random_uuid(), attempts = attempts + 1
           where id = coalesce((
             select id from render_jobs where state in ('pending', 'queued') and left_worker = $1 and expires_at > now()
             order by created_at limit 1 for update skip locked
           ), (
             select id from render_jobs where state in ('pending', 'queued') and expires_at > now()
             order by created_at limit 1 for update skip locked
           ))
           returning run, id, description, expires_at,
             case when left_worker = $1 then left_run end as former,
             case when left_worker = $1 then progress else 0 end as progress
         ), started as (
           insert into render_progress (run, progress, beat_at) select run, progress, now() from taken
         )
         select * from taken`,
      [workers.old],
    );
    return row?.id;
  },
};

describe('a job of a newer format', () => {
  const present = () => openQueue(database, sealer);
  const newerQueue = () => openQueue(database, sealer, { maxFormat: newer });

  test('is skipped by workers of this version, which claim the next one', async () => {
    await startNewer('new');
    await jobs.start(job('plain'), 'me');
    await present().heartbeat(workers.present, 1, new Map());
    expect(await present().claim(workers.present)).toMatchObject({ id: 'plain' });
    expect(await present().claim(workers.present)).toBeUndefined();
  });

  test('is not given to a worker of 0.1.0, and stays unchanged', async () => {
    await startNewer('new');
    await version010.beat();
    const row = () => database.query('select * from render_jobs');
    const before = await row();
    expect(await version010.claim()).toBeUndefined();
    expect(await row()).toEqual(before);
    expect(await database.query('select 1 from render_progress')).toEqual([]);
  });

  test('is given to a worker that can read it, after which a worker of 0.1.0 claims the next job', async () => {
    await startNewer('new');
    await jobs.start(job('plain'), 'me');
    await newerQueue().heartbeat(newerWorker, 1, new Map());
    await version010.beat();
    expect(await version010.claim()).toBeUndefined();
    expect(await newerQueue().claim(newerWorker)).toMatchObject({ id: 'new', job: { id: 'new' } });
    expect(await version010.claim()).toBe('plain');
  });

  test('returns to the queue and is claimed again', async () => {
    await startNewer('new');
    await newerQueue().heartbeat(newerWorker, 1, new Map());
    const claim = await newerQueue().claim(newerWorker);
    await newerQueue().requeue(claim?.run ?? '');
    expect(await newerQueue().claim(newerWorker)).toMatchObject({ id: 'new', previousRun: { run: claim?.run } });
  });

  test('that is stored starts only on nodes that can read it', async () => {
    const storedDescriptions = openStoredDescriptions(database, sealer);
    const { cacheId } = await storedDescriptions.store(job('stored'), 'me');
    expect(await storedDescriptions.find(cacheId)).toMatchObject({ job: { id: 'stored' } });
    const { format, description } = sealJob(sealer, job('stored'), newer);
    const values = [cacheId, format, description];
    await database.query('update render_cache set format = $2, description = $3 where cache_id = $1', values);
    await expect(storedDescriptions.find(cacheId)).rejects.toMatchObject({
      code: 'service_unavailable',
      retryAfter: 5,
    });
    // Version 0.1.0 opens stored descriptions this way.
    expect(sealer.open('job-description', description)).toBeUndefined();
  });
});

test('lets workers of both versions claim jobs of version 0.1.0', async () => {
  await jobs.start(job('one'), 'me');
  await jobs.start(job('two'), 'me');
  await version010.beat();
  expect(await version010.claim()).toBe('one');
  expect(await openQueue(database, sealer).claim(workers.present)).toMatchObject({ id: 'two' });
});

describe('requiredFormat', () => {
  test("returns the format of a job's newest member, operation or container", () => {
    expect(requiredFormat({ ...job('any'), exit: 'fr', webhook: { url: 'https://hooks.example', secret: 'x' } })).toBe(
      1,
    );
  });

  test('does not depend on names that callers choose', () => {
    const base = job('any');
    expect(
      requiredFormat({ ...base, output: { ext: 'constructor' }, operation: { type: 'no_process', copyStreams: true } }),
    ).toBe(1);
  });
});
