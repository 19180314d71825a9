import { MillraceError } from '../../contract/errors.ts';

/** Milliseconds for all requests of one extraction, slightly less than the service allows. */
const TOTAL_MS = 23_000;

/** The time that the requests of one extraction share. */
export interface TimeBudget {
  /** Milliseconds until the end. */
  remaining(): number;
  /**
   * Returns the milliseconds that a request may take.
   *
   * @throws MillraceError `operation_timeout` when no time remains.
   */
  step(limit: number): number;
}

/** Starts the time budget of an extraction. */
export function createTimeBudget(now: () => number = () => performance.now()): TimeBudget {
  const end = now() + TOTAL_MS;
  const remaining = () => Math.max(0, end - now());
  return {
    remaining,
    step(limit) {
      const time = Math.floor(Math.min(limit, remaining()));
      if (time === 0) throw new MillraceError('operation_timeout', 'TikTok took too long to respond. Try again.');
      return time;
    },
  };
}
