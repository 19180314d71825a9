import type { Logger } from 'pino';
import type { Metrics } from '../../metrics/metrics.ts';
import type { Duty } from '../../metrics/sweep-metrics.ts';

/** What a duty reports to. */
export interface Report {
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** A recurring duty. */
export interface Repeated {
  /** Aborts its signal, and settles when it has ended. */
  stop(): Promise<void>;
}

/** Runs a duty now, and again `intervalMs` after each run. A failure is logged and counted, and stops no other duty. */
export function repeat(
  duty: Duty,
  intervalMs: number,
  work: (signal: AbortSignal) => Promise<void>,
  { metrics, log }: Report,
): Repeated {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const run = () => {
    running = work(over.signal)
      .catch((error: unknown) => {
        if (over.signal.aborted) return;
        metrics.sweepFailed(duty);
        log.error({ err: error, duty, againInSeconds: intervalMs / 1_000 }, `the sweep of ${words(duty)} failed`);
      })
      .then(() => {
        if (!over.signal.aborted) timer = setTimeout(run, intervalMs);
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
