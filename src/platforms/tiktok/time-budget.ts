import { MillraceError } from '../../contract/errors.ts';

/** Milliseconds of an extraction that are not used for requests. */
const RESERVE_MS = 2_000;

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

/**
 * Starts the time budget of an extraction.
 *
 * @param timeLeft Milliseconds that the extraction has left.
 */
export function createTimeBudget(timeLeft: () => number): TimeBudget {
  const remaining = () => Math.max(0, timeLeft() - RESERVE_MS);
  return {
    remaining,
    step(limit) {
      const time = Math.floor(Math.min(limit, remaining()));
      if (time === 0) throw new MillraceError('operation_timeout', 'TikTok took too long to respond. Try again.');
      return time;
    },
  };
}
