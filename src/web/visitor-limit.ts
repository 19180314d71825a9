import { LRUCache } from 'lru-cache';
import { LimitError } from '../accounts/limit-error.ts';
import { type ClientNetworks, tierLimit } from '../http/connections/client-network.ts';

/** The rate limit of a visitor of the page. */
export interface VisitorRate {
  readonly perMinute: number;
  /** Maximum number of requests in a burst. */
  readonly burst: number;
}

/** Maximum number of networks that are counted. The one whose last request is oldest is dropped first. */
const MAX_NETWORKS = 20_000;

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
 * Creates a function that counts each request of a visitor for each of its networks, with the generic cell rate algorithm
 * (ITU-T I.371). A refused request does not count.
 *
 * @throws LimitError `rate_limited` (by the created function) for too many requests.
 */
export function createVisitorLimit(
  { perMinute, burst }: VisitorRate,
  now: () => number = () => performance.now(),
): (visitor: ClientNetworks) => void {
  const queueEnds = new LRUCache<string, number>({ max: MAX_NETWORKS });
  return (visitor) => {
    const at = now();
    const ends = visitor.map((network, tier) => {
      const rate = { perMinute: tierLimit(perMinute, tier), burst: tierLimit(burst, tier) };
      const interval = 60_000 / rate.perMinute;
      const queueEnd = Math.max(at, queueEnds.get(network) ?? at) + interval;
      const excess = queueEnd - at - rate.burst * interval;
      // Tolerates rounding errors.
      if (excess > interval / 1_000) throw tooManyRequests(rate, tier, Math.ceil(excess / 1_000));
      return [network, queueEnd] as const;
    });
    for (const [network, queueEnd] of ends) queueEnds.set(network, queueEnd);
  };
}

function tooManyRequests({ perMinute, burst }: VisitorRate, tier: number, wait: number): LimitError {
  const sender = tier === 0 ? 'You have' : 'Your network has';
  const message = `${sender} sent more than ${perMinute} requests a minute. Try again in ${wait} s.`;
  return new LimitError('rate_limited', message, { limit: burst, remaining: 0, reset: wait });
}
