import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../../database/database.ts';
import { createProgress, type JobProgress } from '../progress.ts';
import type { ClaimedJob, Queue } from '../queue.ts';
import { queueChannel } from '../states.ts';
import { RunLost, WorkerStopping } from './run-job.ts';

/** Once a second a worker gives a sign of life, and looks for work it was not told of. */
const BEAT_INTERVAL_MS = 1_000;

/** Takes up waiting jobs, as many at once as it has slots. */
export interface Worker {
  /** Takes no further job, hands the running ones back, and settles when none is left. */
  close(): Promise<void>;
}

/** What a worker needs: where jobs come from, and how one is carried out. */
export interface WorkerServices {
  readonly database: Database;
  readonly queue: Queue;
  readonly slots: number;
  readonly run: (claimed: ClaimedJob, progress: JobProgress, signal: AbortSignal) => Promise<void>;
  readonly log: Logger;
}

interface Running {
  readonly progress: JobProgress;
  readonly abort: AbortController;
  readonly settled: Promise<void>;
}

/** Starts a worker. */
export async function startWorker({ database, queue, slots, run, log }: WorkerServices): Promise<Worker> {
  const id = randomUUID();
  const running = new Map<string, Running>();
  let stopping = false;
  let claiming = Promise.resolve();

  /** One claim at a time: what wakes the worker while it claims is served by the claims that follow. */
  function wake(): void {
    claiming = claiming.then(fill).catch((error: unknown) => log.error({ err: error }, 'no job could be taken up'));
  }

  async function fill(): Promise<void> {
    while (!stopping && running.size < slots) {
      const claimed = await queue.claim(id);
      if (claimed === undefined) return;
      begin(claimed);
    }
  }

  function begin(claimed: ClaimedJob): void {
    const progress = createProgress(claimed.job.brackets);
    const abort = new AbortController();
    if (stopping) abort.abort(new WorkerStopping());
    const settled = run(claimed, progress, abort.signal)
      .catch((error: unknown) => log.error({ err: error, job: claimed.id }, 'a job could not be brought to its end'))
      .then(() => {
        running.delete(claimed.run);
        wake();
      });
    running.set(claimed.run, { progress, abort, settled });
    // Listeners see at once where the job begins.
    nextBeat();
  }

  function nextBeat(): void {
    beating = beating.then(beat).catch((error: unknown) => log.error({ err: error }, 'no sign of life could be given'));
  }

  async function beat(): Promise<void> {
    const progress = new Map([...running].map(([key, { progress }]) => [key, progress.percent]));
    const own = await queue.beat(id, slots, progress);
    for (const key of progress.keys()) if (!own.has(key)) running.get(key)?.abort.abort(new RunLost());
  }

  let beating: Promise<void> = beat();
  await beating;
  const stopHearing = await database.listen(queueChannel, wake);
  const timer = setInterval(() => {
    nextBeat();
    wake();
  }, BEAT_INTERVAL_MS);
  wake();

  return {
    async close() {
      stopping = true;
      clearInterval(timer);
      await stopHearing();
      await claiming;
      for (const { abort } of running.values()) abort.abort(new WorkerStopping());
      await Promise.all([...running.values()].map(({ settled }) => settled));
      await Promise.all([beating, claiming]);
      await queue.leave(id);
    },
  };
}
