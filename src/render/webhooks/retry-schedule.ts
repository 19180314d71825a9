const HOUR_MS = 3_600_000;

/** How long after the end of a job Millrace tries to deliver its event. */
export const DELIVERY_TIME_MS = 24 * HOUR_MS;

/**
 * Seconds before each further try. The first ones are those that Standard Webhooks advises
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#deliverability-and-reliability),
 * the others fit into a day: 20.6 hours in all, 23.7 with jitter.
 */
const pauses = [5, 300, 1_800, 7_200, 14_400, 21_600, 28_800] as const;

/** Part of a pause that it is longer by, at most. */
const JITTER = 0.15;

/** No `Retry-After` makes a pause longer than this, jitter apart. */
const LONGEST_PAUSE_MS = 8 * HOUR_MS;

/** The last try begins at least this long before the time is over: the call itself takes a part of it. */
const LAST_TRY_MS = 30_000;

/** How often an event is tried to be delivered. */
export const MOST_TRIES = pauses.length + 1;

/** What else determines a pause, in milliseconds. */
export interface PauseLimits {
  /** What is left of {@link DELIVERY_TIME_MS}. */
  readonly left: number;
  /** What the receiver's `Retry-After` asks for. */
  readonly retryAfter?: number | undefined;
  /** From 0 to 1. */
  readonly random?: number;
}

/**
 * Milliseconds until the next try after so many; undefined when it was the last. Jitter, so that the events of a
 * receiver that was down do not come all at once.
 */
export function pauseAfter(
  tries: number,
  { left, retryAfter = 0, random = Math.random() }: PauseLimits,
): number | undefined {
  const seconds = pauses[tries - 1];
  const latest = left - LAST_TRY_MS;
  if (seconds === undefined || latest <= 0) return undefined;
  const least = Math.max(seconds * 1_000, Math.min(retryAfter, LONGEST_PAUSE_MS));
  return Math.round(Math.min(least * (1 + JITTER * random), latest));
}
