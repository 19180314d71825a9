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

/** Starts a worker of two slots with its queue, and jobs that run until the test or the worker ends them. */
async function start() {
  const database = {
    away: false,
    silent: undefined as Promise<void> | undefined,
    waiting: 0,
    /** Whether waiting jobs must run alone. */
    suspects: false,
    claims: 0,
    /** Whether visitors have started the waiting jobs. */
    fromVisitors: false,
    /** Number of jobs that ran at the last claim. */
    running: 0,
    heartbeats: [] as { slots: number; runs: string[] }[],
    lostRuns: new Set<string>(),
    requeues: [] as (readonly string[])[],
    hasLeft: false,
    /** Usable slots, according to the worker's readiness. */
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
      async claim(_worker, { running = 0, withVisitors = true } = {}) {
        database.claims += 1;
        database.running = running;
        await reach();
        if (database.waiting === 0 || (database.fromVisitors && !withVisitors)) return undefined;
        database.waiting -= 1;
        const run = `run-${database.claims}`;
        return {
          run,
          id: run,
          owner: 'me',
          job,
          test: false,
          visitor: database.fromVisitors,
          expiresAt: new Date(),
          waitedMs: 0,
          isFirstRun: true,
          alone: database.suspects,
        } satisfies ClaimedJob;
      },
      async hasWaitingJob(withVisitors = true) {
        await reach();
        return database.waiting > 0 && (!database.fromVisitors || withVisitors);
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

/** Advances the clock by some seconds, and runs everything that is due in each. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) await vi.advanceTimersByTimeAsync(1_000);
}

test('checks for waiting jobs once a second while it runs nothing, without a claim, and sends a heartbeat every three seconds', async () => {
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

test('claims immediately when it is notified', async () => {
  const { database, runs } = await start();
  await pass(1);
  database.waiting = 1;
  database.tellWaiting();
  await pass(0);
  await vi.waitFor(() => expect(runs).toHaveLength(1));
});

test('gives up only jobs that the database reports as lost', async () => {
  const { database, runs } = await start();
  database.waiting = 2;
  await pass(1);
  const [first, other] = runs;
  database.lostRuns.add(first?.run ?? '');
  await pass(1);
  expect(first?.signal.reason).toBeInstanceOf(RunLost);
  expect(other?.signal.aborted).toBe(false);
});

test('ends cancelled jobs as soon as it is notified, and removes the files of other runs', async () => {
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

test('continues while the database is unavailable for less than 30 s', async () => {
  const { database, runs } = await start();
  database.waiting = 1;
  await pass(2);
  database.away = true;
  await pass(28);
  database.away = false;
  await pass(10);
  expect(runs[0]?.signal.aborted).toBe(false);
});

test('gives up everything after 30 s without a response, requeues the remaining jobs, and then continues', async () => {
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

test('requeues a job that it may have claimed without a response, before it claims another', async () => {
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

test('claims nothing beside a job that must run alone, and offers no slots in the meantime', async () => {
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

test('waits for the response to a heartbeat before it sends another', async () => {
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

test('claims nothing while it closes, sends heartbeats, lets jobs end, and requeues the remaining ones', async () => {
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
  // The only slot that it still offers is that of its running job.
  expect(database.heartbeats.at(-1)).toEqual({ slots: 1, runs: [stays?.run] });
  expect(database.hasLeft).toBe(false);
  deadline.abort();
  await closed;
  expect(stays?.signal.reason).toBeInstanceOf(WorkerStopping);
  expect(ends?.signal.aborted).toBe(false);
  expect(database.hasLeft).toBe(true);
  await worker.close();
});

test('when it closes, immediately requeues jobs that only wait for the store, even those that start to wait later', async () => {
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

test('finishes closing as soon as its last job has ended', async () => {
  const { database, runs, worker } = await start();
  database.waiting = 1;
  await pass(1);
  const closed = worker.close(new AbortController().signal);
  runs[0]?.end();
  await closed;
  expect(runs[0]?.signal.aborted).toBe(false);
});

test('claims nothing and offers no slot while it is not ready', async () => {
  const { database, runs } = await start();
  database.waiting = 1;
  await pass(1);
  database.room = 0;
  database.waiting = 1;
  await pass(2);
  expect(runs).toHaveLength(1);
  // The only slot that it offers is that of its running job.
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

test('runs another job when a run releases its slot, and still sends heartbeats for the first run', async () => {
  const { database, runs } = await start();
  database.waiting = 3;
  await pass(1);
  expect(runs).toHaveLength(2);
  runs[0]?.slot.release();
  await pass(1);
  expect(runs).toHaveLength(3);
  expect(database.heartbeats.at(-1)).toEqual({ slots: 3, runs: runs.map(({ run }) => run) });
});

test('claims jobs without counting a run that only waits, and runs them beside that run', async () => {
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

test('keeps a slot for keys while visitors fill the others, and searches for nothing meanwhile', async () => {
  const { database, runs } = await start();
  database.fromVisitors = true;
  database.waiting = 2;
  await pass(1);
  expect(runs).toHaveLength(1);
  const { claims } = database;
  await pass(5);
  expect(database.claims).toBe(claims);
  Object.assign(database, { fromVisitors: false, waiting: 1 });
  await pass(1);
  expect(runs).toHaveLength(2);
  Object.assign(database, { fromVisitors: true, waiting: 1 });
  runs[0]?.slot.release();
  await pass(1);
  expect(runs).toHaveLength(3);
});

test('runs the job of a visitor in its only slot', async () => {
  const { database, runs } = await start();
  Object.assign(database, { fromVisitors: true, waiting: 2, room: 1 });
  await pass(1);
  expect(runs).toHaveLength(1);
});

test('gives a run the disk to itself if nothing else uses it and no other job can start beside it', async () => {
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

test('lets a job that must run alone share the disk with waiting results', async () => {
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
  // The result was there when the disk became full.
  expect(runs[1]?.slot.otherDiskUse).toBe('results');
});
