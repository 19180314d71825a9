import type { BatchWait } from '#client/index.ts';

/** Why the queue waits, and until when. */
export interface ServiceWait {
  /** Milliseconds since 1970. */
  readonly until: number;
  /** `day`: a daily limit holds. */
  readonly reason: 'busy' | 'day' | 'offline';
}

/** Waits that are at least as long come from a daily limit, in milliseconds. */
const LONG_WAIT_MS = 600_000;

/** Describes a wait of the batch that has just begun. */
export function describeWait({ reason, until }: BatchWait, now: number = Date.now()): ServiceWait {
  return { until, reason: reason === 'busy' && until - now >= LONG_WAIT_MS ? 'day' : reason };
}
