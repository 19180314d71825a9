import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parseJob } from '../../../contract/parse-job.ts';
import type { Database } from '../../../database/database.ts';
import { openTestDatabase } from '../../../database/testing.ts';
import { createSealer } from '../../../sealing/sealing.ts';
import { type Jobs, openJobs } from '../jobs.ts';
import type { ClaimedJob } from './claim.ts';
import { openQueue, type Queue } from './queue.ts';

const [one, two] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;

let database: Database;
let jobs: Jobs;
let queue: Queue;

beforeAll(async () => {
  database = await openTestDatabase();
  const sealer = createSealer(['a secret for these tests']);
  jobs = openJobs(database, sealer, 1_000);
  queue = openQueue(database, sealer);
});
afterAll(() => database.close());
beforeEach(async () => {
  for (const table of ['render_jobs', 'render_progress', 'workers']) await database.query(`delete from ${table}`);
});

async function start(id: string): Promise<void> {
  const job = parseJob({
    id,
    ttl: 86_400_000,
    inputs: [{ url: 'https://cdn.example/a.mp4', ext: 'mp4' }],
    output: { ext: 'mp4' },
    operation: { type: 'convert_format' },
  });
  await jobs.start(job, 'me');
}

/** Starts a job whose nodes have just died twice. */
async function suspect(id: string): Promise<void> {
  await start(id);
  await database.query('update render_jobs set deaths = 2, lost_at = now() where id = $1', [id]);
}

/** Moves the times of a suspect this many minutes back. */
const pass = (id: string, minutes: number) =>
  database.query(
    `update render_jobs set lost_at = lost_at - $2::integer * interval '1 minute',
       drained_until = drained_until - $2::integer * interval '1 minute'
     where id = $1`,
    [id, minutes],
  );

async function row(id: string) {
  const [found] = await database.query<Record<string, unknown>>('select * from render_jobs where id = $1', [id]);
  return found;
}

test('a suspect does not starve beside an endless queue of long jobs', async () => {
  const slots = 2;
  const minutesOfJob = 30;
  let count = 0;
  const more = () => {
    count += 1;
    return start(`job-${count}`);
  };
  for (let at = 0; at < slots + 1; at += 1) await more();
  let running: { job: ClaimedJob; endsAt: number }[] = [];
  await queue.beat(one, slots, new Map());
  for (let at = 1; at <= slots; at += 1) {
    const job = await queue.claim(one, running.length);
    // Never at the same time.
    if (job !== undefined) running.push({ job, endsAt: at * 20 });
  }
  await suspect('suspect');
  for (let minute = 2; ; minute += 2) {
    expect(minute).toBeLessThan(5 * minutesOfJob);
    await pass('suspect', 2);
    for (const { job } of running.filter(({ endsAt }) => endsAt === minute)) {
      await queue.complete(job.run, { key: job.run, name: 'a.mp4', size: 5, link: 'link', notes: [] });
      await more();
    }
    running = running.filter(({ endsAt }) => endsAt > minute);
    for (let free = slots - running.length; free > 0; free -= 1) {
      const job = await queue.claim(one, running.length);
      if (job === undefined) break;
      if (job.alone) return;
      running.push({ job, endsAt: minute + minutesOfJob });
    }
  }
});

test('a node that keeps crashing counts once against a suspect while other workers are busy', async () => {
  await suspect('innocent');
  for (let crash = 0; crash < 5; crash += 1) {
    await queue.beat(two, 1, new Map());
    expect(await queue.claim(one)).toMatchObject({ id: 'innocent', alone: true });
    await queue.recover(false, one);
    // It is left to the other worker for a while, and the crashing node does not drain for it meanwhile.
    await pass('innocent', 4);
    expect([await queue.claim(one), await queue.claim(one, 1)]).toEqual([undefined, undefined]);
    expect(await row('innocent')).toMatchObject({ state: 'queued', lone_deaths: 1, drained_by: null });
    await pass('innocent', 2);
  }
  expect(await queue.claim(two)).toMatchObject({ id: 'innocent' });
  await queue.recover(false, two);
  expect(await row('innocent')).toMatchObject({ state: 'queued', lone_deaths: 2 });
});

test('without other workers, each death of its node counts against a suspect', async () => {
  await suspect('killer');
  await openQueue(database, createSealer(['a secret for these tests']), 0).beat(two, 1, new Map());
  for (let crash = 0; crash < 3; crash += 1) {
    expect(await queue.claim(one)).toMatchObject({ id: 'killer' });
    await queue.recover(false, one);
  }
  expect(await row('killer')).toMatchObject({ state: 'failed', error_code: 'worker_lost' });
});
