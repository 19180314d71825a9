import type { Logger } from 'pino';
import type { Duty, SweeperMetrics } from './metrics-port.ts';

/** What the runs of a duty are reported to. */
export interface Report {
  readonly metrics: Pick<SweeperMetrics, 'sweepFailed'>;
  readonly log: Logger;
}

/** A duty that runs again and again. */
export interface ScheduledDuty {
  /** Aborts its signal, and settles when it has ended. */
  stop(): Promise<void>;
}

/** Longest wait after a failure: a store that was away at the start is reconciled soon after it is back. */
const RETRY_MS = 60_000;

/**
 * Runs a duty now, and again `intervalMs` after each run, or within a minute after one that failed. A failure is logged
 * and counted, and stops no other duty.
 */
export function scheduleDuty(
  duty: Duty,
  intervalMs: number,
  work: (signal: AbortSignal) => Promise<void>,
  { metrics, log }: Report,
): ScheduledDuty {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  /** Resolves to the milliseconds until the next run. */
  const attempt = async (): Promise<number> => {
    try {
      await work(over.signal);
      return intervalMs;
    } catch (error) {
      const retryMs = Math.min(intervalMs, RETRY_MS);
      if (over.signal.aborted) return retryMs;
      metrics.sweepFailed(duty);
      log.error({ err: error, duty, againInSeconds: retryMs / 1_000 }, `the sweep of ${words(duty)} failed`);
      return retryMs;
    }
  };
  const run = () => {
    running = attempt().then((waitMs) => {
      if (!over.signal.aborted) timer = setTimeout(run, waitMs);
    });
  };
  run();
  return {
    async stop() {
      over.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

function words(duty: Duty): string {
  return duty.replaceAll('_', ' ');
}
