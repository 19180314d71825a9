import type { Logger } from 'pino';
import type { SweeperMetrics, SweepTask } from './metrics-port.ts';

/** Receives the results of a task's runs. */
interface SweepReporting {
  readonly metrics: Pick<SweeperMetrics, 'sweepFailed'>;
  readonly log: Logger;
}

/** A task that runs repeatedly. */
interface ScheduledSweep {
  /** Aborts its signal, and settles when the task has ended. */
  stop(): Promise<void>;
}

/** Longest delay after a failure: a store that was unavailable at the start is reconciled soon after it is back. */
const MAX_RETRY_MS = 60_000;

/**
 * Runs a task immediately, and again `intervalMs` after each run, or within a minute after a failed run. A failure is
 * logged and counted, and does not affect other tasks.
 */
export function scheduleSweep(
  task: SweepTask,
  intervalMs: number,
  work: (signal: AbortSignal) => Promise<void>,
  { metrics, log }: SweepReporting,
): ScheduledSweep {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  /** Returns the milliseconds until the next run. */
  const attempt = async (): Promise<number> => {
    try {
      await work(stopping.signal);
      return intervalMs;
    } catch (error) {
      const retryMs = Math.min(intervalMs, MAX_RETRY_MS);
      if (stopping.signal.aborted) return retryMs;
      metrics.sweepFailed(task);
      log.error({ err: error, duty: task, againInSeconds: retryMs / 1_000 }, `the sweep of ${taskName(task)} failed`);
      return retryMs;
    }
  };
  const run = () => {
    running = attempt().then((waitMs) => {
      if (!stopping.signal.aborted) timer = setTimeout(run, waitMs);
    });
  };
  run();
  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

function taskName(task: SweepTask): string {
  return task.replaceAll('_', ' ');
}
