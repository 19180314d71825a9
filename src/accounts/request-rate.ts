import { LRUCache } from 'lru-cache';
import { tierLimit } from '../http/connections/client-network.ts';
import { LimitError } from './limit-error.ts';

/** How many requests a sender may send. */
export interface RequestRate {
  readonly perMinute: number;
  /** Maximum number of requests in a burst. */
  readonly burst: number;
}

/**
 * Counts requests of a sender for each of its networks, smallest first, or for one name.
 *
 * @param requests What the request counts as, if it takes as long as several. Default: 1.
 * @throws LimitError `rate_limited` for too many requests, none of which then counts.
 */
export type CountRequest = (networks: readonly string[], requests?: number) => void;

/** Maximum number of networks that are counted. The one whose last request is oldest is dropped first. */
const MAX_NETWORKS = 20_000;

/** The senders that messages name: the smallest network, and a wider one. */
const clientSenders = ['You have', 'Your network has'] as const;

/**
 * Reads a rate such as `30/20`.
 *
 * @throws Error with the expected format.
 */
export function readRequestRate(text: string): RequestRate {
  const [, perMinute, burst] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const rate = { perMinute: Number(perMinute), burst: Number(burst) };
  if (rate.perMinute > 0 && rate.burst > 0) return rate;
  throw new Error('must be requests per minute and the maximum burst, such as 30/20');
}

/** Returns a multiple of a rate. */
export function multiplyRate({ perMinute, burst }: RequestRate, factor: number): RequestRate {
  return { perMinute: perMinute * factor, burst: burst * factor };
}

/**
 * Creates a function that counts requests in memory, with the generic cell rate algorithm (ITU-T I.371). Wider networks
 * have higher rates ({@link tierLimit}).
 */
export function createRequestRate(
  rate: RequestRate,
  senders: readonly [string, string] = clientSenders,
  now: () => number = () => performance.now(),
): CountRequest {
  const queueEnds = new LRUCache<string, number>({ max: MAX_NETWORKS });
  return (networks, requests = 1) => {
    const at = now();
    const ends = networks.map((network, tier) => {
      const { perMinute, burst } = multiplyRate(rate, tierLimit(1, tier));
      const interval = 60_000 / perMinute;
      const queueEnd = Math.max(at, queueEnds.get(network) ?? at) + interval * Math.min(requests, burst);
      const excess = queueEnd - at - burst * interval;
      // Tolerates rounding errors.
      if (excess > interval / 1_000) {
        const wait = Math.ceil(excess / 1_000);
        const message = `${senders[Math.min(tier, 1)]} sent more than ${perMinute} requests a minute. Try again in ${wait} s.`;
        throw new LimitError('rate_limited', message, { limit: burst, remaining: 0, reset: wait });
      }
      return [network, queueEnd] as const;
    });
    for (const [network, queueEnd] of ends) queueEnds.set(network, queueEnd);
  };
}
