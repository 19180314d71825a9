import { LRUCache } from 'lru-cache';
import { LimitError } from '../accounts/limit-error.ts';

/** The rate limit of a visitor of the page. */
export interface VisitorRate {
  readonly perMinute: number;
  /** Requests that may come at once. */
  readonly burst: number;
}

/** Visitors whose count is kept. The least recent one is dropped first. */
const MAX_VISITORS = 20_000;

/**
 * Reads a rate such as `30/20`.
 *
 * @throws Error that says what it must be.
 */
export function readVisitorRate(text: string): VisitorRate {
  const [, perMinute, burst] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const rate = { perMinute: Number(perMinute), burst: Number(burst) };
  if (rate.perMinute > 0 && rate.burst > 0) return rate;
  throw new Error('must be questions a minute and how many may come at once, such as 30/20');
}

/**
 * Creates a function that counts a request of a visitor, with the generic cell rate algorithm (ITU-T I.371).
 *
 * @throws LimitError (the function) `rate_limited` for too many requests.
 */
export function createVisitorLimit(
  { perMinute, burst }: VisitorRate,
  now: () => number = () => performance.now(),
): (visitor: string) => void {
  const interval = 60_000 / perMinute;
  const queueEnds = new LRUCache<string, number>({ max: MAX_VISITORS });
  return (visitor) => {
    const at = now();
    const queueEnd = Math.max(at, queueEnds.get(visitor) ?? at) + interval;
    const excess = queueEnd - at - burst * interval;
    // Tolerates rounding errors.
    if (excess > interval / 1_000) {
      const wait = Math.ceil(excess / 1_000);
      const message = `You have asked more than ${perMinute} questions a minute. Ask again in ${wait} s.`;
      throw new LimitError('rate_limited', message, { limit: burst, remaining: 0, reset: wait });
    }
    queueEnds.set(visitor, queueEnd);
  };
}
