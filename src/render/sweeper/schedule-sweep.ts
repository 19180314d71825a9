import type { Logger } from 'pino';
import type { SweeperMetrics, SweepTask } from './metrics-port.ts';

/** What the runs of a task are reported to. */
interface SweepReporting {
  readonly metrics: Pick<SweeperMetrics, 'sweepFailed'>;
  readonly log: Logger;
}

/** A task that runs again and again. */
interface ScheduledSweep {
  /** Aborts its signal, and settles when it has ended. */
  stop(): Promise<void>;
}

/** Longest wait after a failure: a store that was away at the start is reconciled soon after it is back. */
const MAX_RETRY_MS = 60_000;

/**
 * Runs a task now, and again `intervalMs` after each run, or within a minute after one that failed. A failure is logged
 * and counted, and stops no other task.
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
  /** Resolves to the milliseconds until the next run. */
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
