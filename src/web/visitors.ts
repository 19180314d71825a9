import { LRUCache } from 'lru-cache';
import { LimitError } from '../accounts/limit-error.ts';

/** How often a visitor of the page may ask. */
export interface VisitorRate {
  readonly perMinute: number;
  /** How many questions may come at once. */
  readonly burst: number;
}

/** Visitors that are remembered; whoever asked longest ago is forgotten first. */
const MOST_VISITORS = 20_000;

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
 * Makes what counts the questions of visitors, by one number each: when all that they asked is paid off (the generic
 * cell rate algorithm, ITU-T I.371).
 *
 * @throws LimitError (what is made) `rate_limited`, for who asks too often.
 */
export function createVisitorLimit(
  { perMinute, burst }: VisitorRate,
  now: () => number = () => performance.now(),
): (visitor: string) => void {
  const interval = 60_000 / perMinute;
  const ends = new LRUCache<string, number>({ max: MOST_VISITORS });
  return (visitor) => {
    const at = now();
    const end = Math.max(at, ends.get(visitor) ?? at) + interval;
    const over = end - at - burst * interval;
    // What is left over of reckoning with fractions is no question.
    if (over > interval / 1_000) {
      const wait = Math.ceil(over / 1_000);
      const message = `You have asked more than ${perMinute} questions a minute. Ask again in ${wait} s.`;
      throw new LimitError('rate_limited', message, { limit: burst, remaining: 0, reset: wait });
    }
    ends.set(visitor, end);
  };
}
