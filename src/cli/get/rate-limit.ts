import { sleep } from '../../waiting/sleep.ts';

/** Maximum number of bytes that may arrive before the first wait. */
const BURST_SECONDS = 0.25;

/** Limits the speed of downloads. Concurrent downloads share the limit. */
export interface RateLimit {
  /** Waits until these bytes, which have arrived, are within the limit. @throws The signal's reason. */
  spend(bytes: number, signal: AbortSignal): Promise<void>;
}

/**
 * Creates a limit.
 *
 * @param now Milliseconds of a monotonic clock.
 * @param wait Waits for milliseconds.
 */
export function createRateLimit(
  bytesPerSecond: number,
  now: () => number = () => performance.now(),
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void> = sleep,
): RateLimit {
  /** The time at which all bytes until now are within the limit. */
  let paidAt = now();
  return {
    async spend(bytes, signal) {
      paidAt = Math.max(paidAt, now() - BURST_SECONDS * 1000) + (bytes / bytesPerSecond) * 1000;
      const milliseconds = paidAt - now();
      if (milliseconds > 0) await wait(milliseconds, signal);
    },
  };
}
