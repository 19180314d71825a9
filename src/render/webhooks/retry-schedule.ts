const HOUR_MS = 3_600_000;

/** Time after the end of a job within which Millrace tries to deliver its event. */
export const DELIVERY_TIME_MS = 24 * HOUR_MS;

/**
 * Seconds before each retry. The first ones are those that Standard Webhooks recommends
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#deliverability-and-reliability).
 * The others fit into a day: 20.6 hours in total, 23.7 with jitter.
 */
const delays = [5, 300, 1_800, 7_200, 14_400, 21_600, 28_800] as const;

/** Maximum jitter, as a fraction of the delay. */
const JITTER = 0.15;

/** Maximum delay that `Retry-After` can cause, apart from jitter. */
const MAX_DELAY_MS = 8 * HOUR_MS;

/** Time before the deadline at which the last attempt starts at the latest, since the call itself takes time. */
const LAST_TRY_MS = 30_000;

/** Maximum number of attempts to deliver an event. */
export const MAX_TRIES = delays.length + 1;

/** Other values that determine a delay, in milliseconds. */
interface RetryLimits {
  /** Remaining time of {@link DELIVERY_TIME_MS}. */
  readonly remainingMs: number;
  /** The receiver's `Retry-After`. */
  readonly retryAfter?: number | undefined;
  /** From 0 to 1. */
  readonly random?: number;
}

/**
 * Returns the milliseconds until the next attempt after a number of attempts; undefined after the last one. Jitter
 * spreads the events of a receiver that was down.
 */
export function retryDelay(
  tries: number,
  { remainingMs, retryAfter = 0, random = Math.random() }: RetryLimits,
): number | undefined {
  const seconds = delays[tries - 1];
  const latest = remainingMs - LAST_TRY_MS;
  if (seconds === undefined || latest <= 0) return undefined;
  const least = Math.max(seconds * 1_000, Math.min(retryAfter, MAX_DELAY_MS));
  return Math.round(Math.min(least * (1 + JITTER * random), latest));
}
