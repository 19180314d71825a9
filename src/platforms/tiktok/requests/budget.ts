import { MillraceError } from '../../../contract/errors.ts';

/** Milliseconds for all requests of one extraction, a little less than the service gives it. */
const TOTAL_MS = 23_000;

/** The time that the requests of one extraction share. */
export interface Budget {
  /** Milliseconds that are left. */
  left(): number;
  /**
   * Returns the milliseconds that a request may take.
   *
   * @throws MillraceError `operation_timeout` when there is no time left.
   */
  step(limit: number): number;
}

/** Starts to count. */
export function createBudget(now: () => number = () => performance.now()): Budget {
  const end = now() + TOTAL_MS;
  const left = () => Math.max(0, end - now());
  return {
    left,
    step(limit) {
      const time = Math.floor(Math.min(limit, left()));
      if (time === 0) throw new MillraceError('operation_timeout', 'TikTok took too long to answer. Try again.');
      return time;
    },
  };
}
