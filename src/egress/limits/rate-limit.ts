import { MillraceError } from '../../contract/errors.ts';
import { sleep } from '../../waiting/sleep.ts';

/** Maximum wait; requests that would wait longer are refused, because an extraction has 25 s in all. */
const MAX_WAIT_MS = 10_000;

/** Number of hosts above which idle ones are removed. */
const MAX_IDLE_HOSTS = 1_000;

/** The rate limit of a host through one exit. */
export interface RateLimitRules {
  /** Requests per second. */
  readonly rate: number;
  /** Requests that may be sent back to back after a pause. */
  readonly burst: number;
}

/** Delays requests to each host to stay within its rate limit. */
export interface RateLimiter {
  /**
   * Waits until a request may be sent to a host through an exit.
   *
   * @throws MillraceError `service_unavailable` if the wait would be too long; the signal's reason.
   */
  acquire(host: string, exit: string, signal: AbortSignal): Promise<void>;
}

/**
 * Reads `rate/burst`, or `off`.
 *
 * @throws Error with the expected format.
 */
export function readRateLimitRules(text: string): RateLimitRules | undefined {
  if (text === 'off') return undefined;
  const [, rate, burst] = /^(\d{1,4}(?:\.\d{1,3})?)\/(\d{1,4})$/.exec(text) ?? [];
  const rules = { rate: Number(rate), burst: Number(burst) };
  if (rules.rate > 0 && rules.burst > 0) return rules;
  throw new Error('must be requests per second and the maximum burst, such as 10/20, or off');
}

/**
 * Creates a rate limiter. It keeps one number per host and exit, the theoretical arrival time of the next request (the
 * generic cell rate algorithm, ITU-T I.371).
 *
 * @param rules Undefined: no limit.
 */
export function createRateLimiter(
  rules: RateLimitRules | undefined,
  now: () => number = () => performance.now(),
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void> = sleep,
): RateLimiter {
  if (rules === undefined) return { acquire: () => Promise.resolve() };
  const interval = 1000 / rules.rate;
  const arrivalTimes = new Map<string, number>();
  return {
    async acquire(host, exit, signal) {
      const at = now();
      const key = `${exit} ${host}`;
      const end = Math.max(at, arrivalTimes.get(key) ?? 0) + interval;
      const delay = end - at - rules.burst * interval;
      if (delay > MAX_WAIT_MS) {
        const message = `Too many requests for ${host} are already waiting. Try again in a moment.`;
        throw new MillraceError('service_unavailable', message);
      }
      arrivalTimes.set(key, end);
      if (arrivalTimes.size > MAX_IDLE_HOSTS)
        for (const [old, end] of arrivalTimes) if (end < at) arrivalTimes.delete(old);
      if (delay > 0) await wait(delay, signal);
    },
  };
}
