import { shareOf } from '../progress-share.ts';
import type { TaskContext } from '../sink.ts';

/** Milliseconds and fraction of an attempt after which its duration can be estimated. */
const estimation = { after: 10_000, fraction: 0.02 } as const;

/**
 * Returns a pacer for one of several attempts, which is half of the rest of the task, because others may follow.
 *
 * @param from - progress of the task when the attempt begins, 0 to 1.
 * @param checkEstimate - called with the estimated duration of the attempt in milliseconds. May throw to end it.
 */
export function pacerOfAttempt(
  pacer: TaskContext['pacer'],
  from: number,
  checkEstimate: (milliseconds: number) => void,
): TaskContext['pacer'] {
  const start = performance.now();
  const share = shareOf(pacer, from, (1 + from) / 2);
  return {
    get shouldReport() {
      return share.shouldReport;
    },
    async reportAndYield(fraction) {
      const elapsed = performance.now() - start;
      if (elapsed > estimation.after && fraction > estimation.fraction) checkEstimate(elapsed / fraction);
      await share.reportAndYield(fraction);
    },
  };
}
