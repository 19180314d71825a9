import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseJob } from '../../contract/parse-job.ts';
import type { ClaimedJob } from '../jobs/queue/claim-job.ts';
import { RunLost, type RunSlot, WorkerStopping } from './run-job.ts';
import { startWorker, type Worker } from './worker.ts';

const job = parseJob({
  id: 'one',
  inputs: [{ url: 'https://cdn.example/a.mp4', ext: 'mp4' }],
  output: { ext: 'mp4' },
  operation: { type: 'convert_format' },
});

let worker: Worker | undefined;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(async () => {
  await worker?.close();
  vi.useRealTimers();
});

/** A worker of two slots, its queue, and jobs that run until the test or the worker ends them. */
async function start() {
  const database = {
    away: false,
    silent: undefined as Promise<void> | undefined,
    waiting: 0,
    /** Whether waiting jobs must run alone. */
    suspects: false,
    claims: 0,
    /** How many jobs ran at the last claim. */
    running: 0,
    heartbeats: [] as { slots: number; runs: string[] }[],
    lostRuns: new Set<string>(),
    requeues: [] as (readonly string[])[],
    hasLeft: false,
    /** Slots that may be in use, as the worker's readiness says. */
    room: 2,
    tellWaiting: (): void => undefined,
    tellCancelled: (_run: string): void => undefined,
    discardedRuns: [] as string[],
  };
  const reach = async () => {
    await database.silent;
    if (database.away) throw new Error('away');
  };
  const runs: { run: string; signal: AbortSignal; slot: RunSlot; end: () => void }[] = [];
  worker = await startWorker({
    id: '00000000-0000-4000-8000-000000000001',
    channels: {
      async listen(channel, listener) {
        if (channel === 'render_cancelled') database.tellCancelled = listener;
        else database.tellWaiting = () => listener('');
        return async () => undefined;
      },
    },
    queue: {
      async claim(_worker, running = 0) {
        database.claims += 1;
        database.running = running;
        await reach();
        if (database.waiting === 0) return undefined;
        database.waiting -= 1;
        const run = `run-${database.claims}`;
        return { run, id: run, job, expiresAt: new Date(), alone: database.suspects } satisfies ClaimedJob;
      },
      async hasWaitingJob() {
        await reach();
        return database.waiting > 0;
      },
      async heartbeat(_worker, slots, progress) {
        const runs = [...progress.keys()];
        database.heartbeats.push({ slots, runs });
        await reach();
        return new Set(runs.filter((run) => !database.lostRuns.has(run)));
      },
      async requeueOthers(_worker, current) {
        await reach();
        database.requeues.push(current);
      },
      async removeWorker() {
        database.hasLeft = true;
      },
    },
    slots: 2,
    readiness: { check: async () => undefined, usableSlots: (slots) => Math.min(slots, database.room) },
    run: ({ run }, _progress, signal, place) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => resolve());
      if (signal.aborted) resolve();
      runs.push({ run, signal, slot: place, end: resolve });
      return promise;
    },
    discardRun: (run) => database.discardedRuns.push(run),
    log: pino({ level: 'silent' }),
  });
  return { database, runs, worker };
}

/** Lets seconds go by, and all that is due in each of them happen. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) await vi.advanceTimersByTimeAsync(1_000);
}

test('that runs nothing looks for jobs once a second without a claim, and sends a heartbeat every three', async () => {
  const { database, runs } = await start();
  await pass(1);
  const { claims, heartbeats } = { claims: database.claims, heartbeats: database.heartbeats.length };
  await pass(30);
  expect(database.claims).toBe(claims);
  expect(database.heartbeats.length - heartbeats).toBe(10);
  database.waiting = 1;
  await pass(1);
  expect(runs).toHaveLength(1);
});

test('claims at once when it is notified', async () => {
  const { database, runs } = await start();
  await pass(1);
  database.waiting = 1;
  database.tellWaiting();
  await pass(0);
  await vi.waitFor(() => expect(runs).toHaveLength(1));
});

test('gives up what the database says is lost, and nothing else', async () => {
  const { database, runs } = await start();
  database.waiting = 2;
  await pass(1);
  const [first, other] = runs;
  database.lostRuns.add(first?.run ?? '');
  await pass(1);
  expect(first?.signal.reason).toBeInstanceOf(RunLost);
  expect(other?.signal.aborted).toBe(false);
});

test('ends what was cancelled as soon as it is told, and forgets what is left of other runs', async () => {
  const { database, runs } = await start();
  database.waiting = 2;
  await pass(1);
  const [first, other] = runs;
  database.tellCancelled(first?.run ?? '');
  expect(first?.signal.reason).toMatchObject({ name: 'RunLost', how: 'cancelled' });
  expect(database.discardedRuns).toEqual([]);
  database.tellCancelled('run-of-old');
  expect(database.discardedRuns).toEqual(['run-of-old']);
  expect(other?.signal.aborted).toBe(false);
});

test('goes on while the database is away for less than 30 s', async () => {
  const { database, runs } = await start();
  database.waiting = 1;
  await pass(2);
  database.away = true;
  await pass(28);
  database.away = false;
  await pass(10);
  expect(runs[0]?.signal.aborted).toBe(false);
});

test('gives everything up after 30 s without an answer, hands back what is left, and goes on afterwards', async () => {
  const { database, runs } = await start();
  database.waiting = 1;
  await pass(2);
  database.away = true;
  await pass(33);
  expect(runs[0]?.signal.reason).toBeInstanceOf(RunLost);
  database.away = false;
  database.waiting = 1;
  await pass(2);
  expect(database.requeues[0]).toEqual([]);
  expect(runs).toHaveLength(2);
  await pass(5);
  expect(runs[1]?.signal.aborted).toBe(false);
});

test('hands back a job that it may have taken up without hearing of it, before it takes up another', async () => {
  const { database, runs } = await start();
  database.waiting = 1;
  await pass(1);
  database.away = true;
  database.tellWaiting();
  await pass(1);
  database.away = false;
  await pass(1);
  expect(database.requeues).toEqual([[runs[0]?.run]]);
});

test('takes up nothing beside a job that must run alone, and offers no slots meanwhile', async () => {
  const { database, runs } = await start();
  database.suspects = true;
  database.waiting = 2;
  await pass(2);
  expect(runs).toHaveLength(1);
  expect(database.heartbeats.at(-1)).toMatchObject({ slots: 1 });
  database.suspects = false;
  runs[0]?.end();
  await pass(1);
  expect(runs).toHaveLength(2);
  expect(database.running).toBe(1);
  expect(database.heartbeats.at(-1)).toMatchObject({ slots: 2 });
});

test('a heartbeat without a response is awaited: no other is sent meanwhile', async () => {
  const { database } = await start();
  await pass(2);
  const before = database.heartbeats.length;
  const answer = Promise.withResolvers<void>();
  database.silent = answer.promise;
  await pass(10);
  expect(database.heartbeats).toHaveLength(before + 1);
  database.silent = undefined;
  answer.resolve();
  await pass(1);
  expect(database.heartbeats.length).toBeGreaterThan(before + 1);
});

test('that closes takes up nothing, sends heartbeats, lets jobs end, and hands back what does not', async () => {
  const { database, runs, worker } = await start();
  database.waiting = 2;
  await pass(1);
  database.waiting = 2;
  const deadline = new AbortController();
  const closed = worker.close(deadline.signal);
  await pass(3);
  expect(runs).toHaveLength(2);
  const [ends, stays] = runs;
  ends?.end();
  await pass(3);
  expect(runs).toHaveLength(2);
  expect(stays?.signal.aborted).toBe(false);
  // What it still runs is all it has room for.
  expect(database.heartbeats.at(-1)).toEqual({ slots: 1, runs: [stays?.run] });
  expect(database.hasLeft).toBe(false);
  deadline.abort();
  await closed;
  expect(stays?.signal.reason).toBeInstanceOf(WorkerStopping);
  expect(ends?.signal.aborted).toBe(false);
  expect(database.hasLeft).toBe(true);
  await worker.close();
});

test('that closes hands back at once what only waits for the store, also when that comes later', async () => {
  const { database, runs, worker } = await start();
  database.waiting = 2;
  await pass(1);
  const [first, second] = runs;
  first?.slot.release();
  first?.slot.resultRetained();
  expect(first?.signal.aborted).toBe(false);
  const closed = worker.close(new AbortController().signal);
  await pass(1);
  expect(first?.signal.reason).toBeInstanceOf(WorkerStopping);
  expect(second?.signal.aborted).toBe(false);
  second?.slot.resultRetained();
  await closed;
  expect(second?.signal.reason).toBeInstanceOf(WorkerStopping);
});

test('that closes is closed as soon as its last job has ended', async () => {
  const { database, runs, worker } = await start();
  database.waiting = 1;
  await pass(1);
  const closed = worker.close(new AbortController().signal);
  runs[0]?.end();
  await closed;
  expect(runs[0]?.signal.aborted).toBe(false);
});

test('that is not ready takes up nothing and offers no slot, until it is ready again', async () => {
  const { database, runs } = await start();
  database.waiting = 1;
  await pass(1);
  database.room = 0;
  database.waiting = 1;
  await pass(2);
  expect(runs).toHaveLength(1);
  // The running job is all it has room for.
  expect(database.heartbeats.at(-1)).toEqual({ slots: 1, runs: [runs[0]?.run] });
  runs[0]?.end();
  await pass(2);
  expect(runs).toHaveLength(1);
  expect(database.heartbeats.at(-1)).toEqual({ slots: 0, runs: [] });
  database.room = 2;
  await pass(1);
  expect(runs).toHaveLength(2);
  expect(database.heartbeats.at(-1)?.slots).toBe(2);
});

test('a run that leaves its slot makes room for another job, and still sends heartbeats', async () => {
  const { database, runs } = await start();
  database.waiting = 3;
  await pass(1);
  expect(runs).toHaveLength(2);
  runs[0]?.slot.release();
  await pass(1);
  expect(runs).toHaveLength(3);
  expect(database.heartbeats.at(-1)).toEqual({ slots: 3, runs: runs.map(({ run }) => run) });
});

test('a run that only waits is not counted when the worker claims, and lets others run beside it', async () => {
  const { database, runs } = await start();
  database.suspects = true;
  database.waiting = 1;
  await pass(1);
  database.suspects = false;
  database.waiting = 1;
  await pass(1);
  expect(runs).toHaveLength(1);
  runs[0]?.slot.release();
  await pass(1);
  expect(runs).toHaveLength(2);
  runs[1]?.slot.release();
  await pass(1);
  expect(database.running).toBe(0);
});

test('a run has the disk to itself when nothing else is there and no other can begin beside it', async () => {
  const { database, runs } = await start();
  database.waiting = 1;
  await pass(1);
  expect(runs[0]?.slot.otherDiskUse).toBe('jobs');
  runs[0]?.end();
  database.room = 1;
  database.waiting = 1;
  await pass(1);
  expect(runs[1]?.slot.otherDiskUse).toBe('nothing');
  runs[1]?.slot.release();
  database.waiting = 1;
  await pass(1);
  expect(runs[2]?.slot.otherDiskUse).toBe('results');
  database.room = 2;
  database.waiting = 1;
  await pass(1);
  expect(runs).toHaveLength(4);
  expect(runs[2]?.slot.otherDiskUse).toBe('jobs');
});

test('a job that must run alone shares the disk with results that wait', async () => {
  const { database, runs } = await start();
  database.waiting = 1;
  await pass(1);
  runs[0]?.slot.release();
  database.suspects = true;
  database.waiting = 1;
  await pass(1);
  expect(runs[1]?.slot.otherDiskUse).toBe('results');
  runs[0]?.end();
  await pass(1);
  // The result was there when the disk ran full.
  expect(runs[1]?.slot.otherDiskUse).toBe('results');
});
