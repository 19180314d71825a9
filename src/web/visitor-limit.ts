import { LRUCache } from 'lru-cache';
import { LimitError } from '../accounts/limit-error.ts';

/** The rate limit of a visitor of the page. */
export interface VisitorRate {
  readonly perMinute: number;
  /** Maximum number of requests in a burst. */
  readonly burst: number;
}

/** Maximum number of visitors that are counted. The visitor whose last request is oldest is dropped first. */
const MAX_VISITORS = 20_000;

/**
 * Reads a rate such as `30/20`.
 *
 * @throws Error with the expected format.
 */
export function readVisitorRate(text: string): VisitorRate {
  const [, perMinute, burst] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const rate = { perMinute: Number(perMinute), burst: Number(burst) };
  if (rate.perMinute > 0 && rate.burst > 0) return rate;
  throw new Error('must be requests per minute and the maximum burst, such as 30/20');
}

/**
 * Creates a function that counts each request of a visitor, with the generic cell rate algorithm (ITU-T I.371).
 *
 * @throws LimitError `rate_limited` (by the created function) for too many requests.
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
      const message = `You have sent more than ${perMinute} requests a minute. Try again in ${wait} s.`;
      throw new LimitError('rate_limited', message, { limit: burst, remaining: 0, reset: wait });
    }
    queueEnds.set(visitor, queueEnd);
  };
}
