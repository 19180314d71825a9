import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type JobDatabase, openJobDatabase, testSealer } from '../../testing/job-database.ts';
import type { ClaimedJob } from './claim-job.ts';
import { openQueue } from './queue.ts';

const [one, two] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;

let store: JobDatabase;

beforeAll(async () => {
  store = await openJobDatabase(1_000);
});
afterAll(() => store.close());
beforeEach(() => store.clear());

const start = (id: string) => store.start(id, { ttl: 86_400_000 });

/** Starts a job and makes it a suspect, as if its node had just died twice. */
async function suspect(id: string): Promise<void> {
  await start(id);
  await store.database.query('update render_jobs set deaths = 2, lost_at = now() where id = $1', [id]);
}

/** Moves the times of a suspect this many minutes into the past. */
const pass = (id: string, minutes: number) =>
  store.database.query(
    `update render_jobs set lost_at = lost_at - $2::integer * interval '1 minute',
       drained_until = drained_until - $2::integer * interval '1 minute'
     where id = $1`,
    [id, minutes],
  );

test('does not starve a suspect beside an endless queue of long jobs', async () => {
  const slots = 2;
  const minutesOfJob = 30;
  let count = 0;
  const more = () => {
    count += 1;
    return start(`job-${count}`);
  };
  for (let at = 0; at < slots + 1; at += 1) await more();
  let running: { job: ClaimedJob; endsAt: number }[] = [];
  await store.queue.heartbeat(one, slots, new Map());
  for (let at = 1; at <= slots; at += 1) {
    const job = await store.queue.claim(one, { running: running.length });
    // Different end times, so that the jobs never all end at the same moment.
    if (job !== undefined) running.push({ job, endsAt: at * 20 });
  }
  await suspect('suspect');
  for (let minute = 2; ; minute += 2) {
    expect(minute).toBeLessThan(5 * minutesOfJob);
    await pass('suspect', 2);
    for (const { job } of running.filter(({ endsAt }) => endsAt === minute)) {
      await store.queue.complete(job.run, { key: job.run, name: 'a.mp4', size: 5, link: 'link', notes: [] });
      await more();
    }
    running = running.filter(({ endsAt }) => endsAt > minute);
    for (let free = slots - running.length; free > 0; free -= 1) {
      const job = await store.queue.claim(one, { running: running.length });
      if (job === undefined) break;
      if (job.alone) return;
      running.push({ job, endsAt: minute + minutesOfJob });
    }
  }
});

test('counts repeated deaths of the same node only once against a suspect while other workers are busy', async () => {
  await suspect('innocent');
  for (let crash = 0; crash < 5; crash += 1) {
    await store.queue.heartbeat(two, 1, new Map());
    expect(await store.queue.claim(one)).toMatchObject({ id: 'innocent', alone: true });
    await store.queue.recoverLostRuns(false, one);
    // The suspect is left to the other worker for a while, and the crashing node does not drain for it in the meantime.
    await pass('innocent', 4);
    expect([await store.queue.claim(one), await store.queue.claim(one, { running: 1 })]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await store.row('innocent')).toMatchObject({ state: 'queued', lone_deaths: 1, drained_by: null });
    await pass('innocent', 2);
  }
  expect(await store.queue.claim(two)).toMatchObject({ id: 'innocent' });
  await store.queue.recoverLostRuns(false, two);
  expect(await store.row('innocent')).toMatchObject({ state: 'queued', lone_deaths: 2 });
});

test('counts each death of its node against a suspect if there are no other workers', async () => {
  await suspect('killer');
  await openQueue(store.database, testSealer, { maxFormat: 0 }).heartbeat(two, 1, new Map());
  for (let crash = 0; crash < 3; crash += 1) {
    expect(await store.queue.claim(one)).toMatchObject({ id: 'killer' });
    await store.queue.recoverLostRuns(false, one);
  }
  expect(await store.row('killer')).toMatchObject({ state: 'failed', error_code: 'worker_lost' });
});
