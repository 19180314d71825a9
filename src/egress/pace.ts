import { MillraceError } from '../contract/errors.ts';
import { pause } from '../waiting/pause.ts';

/** Nobody waits longer for a turn: an extraction has 25 s in all. */
const LONGEST_WAIT_MS = 10_000;

/** Hosts that are kept in mind before those whose turn is long over are forgotten. */
const MANY_HOSTS = 1_000;

/** How fast a host is asked through one exit. */
export interface PaceRules {
  /** Requests a second. */
  readonly rate: number;
  /** Requests that may come at once after a pause. */
  readonly burst: number;
}

/** Lets requests to a host wait for their turn. */
export interface Pace {
  /**
   * Waits for the turn of a request to a host through an exit.
   *
   * @throws MillraceError `service_unavailable` where it would be a long wait; the signal's reason.
   */
  turn(host: string, exit: string, signal: AbortSignal): Promise<void>;
}

/**
 * Reads `rate/burst`, or `off`.
 *
 * @throws Error that says what it must be.
 */
export function readPaceRules(text: string): PaceRules | undefined {
  if (text === 'off') return undefined;
  const [, rate, burst] = /^(\d{1,4}(?:\.\d{1,3})?)\/(\d{1,4})$/.exec(text) ?? [];
  const rules = { rate: Number(rate), burst: Number(burst) };
  if (rules.rate > 0 && rules.burst > 0) return rules;
  throw new Error('must be requests a second and how many may come at once, such as 10/20, or off');
}

/**
 * Keeps the pace by one number a host: when the line of those who came before is through (the generic cell rate
 * algorithm, ITU-T I.371).
 *
 * @param rules None: everybody has a turn at once.
 */
export function createPace(
  rules: PaceRules | undefined,
  now: () => number = () => performance.now(),
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void> = pause,
): Pace {
  if (rules === undefined) return { turn: () => Promise.resolve() };
  const interval = 1000 / rules.rate;
  const ends = new Map<string, number>();
  return {
    async turn(host, exit, signal) {
      const at = now();
      const key = `${exit} ${host}`;
      const end = Math.max(at, ends.get(key) ?? 0) + interval;
      const early = end - at - rules.burst * interval;
      if (early > LONGEST_WAIT_MS) {
        const message = `More requests for ${host} are waiting than may be sent to it. Try again in a moment.`;
        throw new MillraceError('service_unavailable', message);
      }
      ends.set(key, end);
      if (ends.size > MANY_HOSTS) for (const [old, end] of ends) if (end < at) ends.delete(old);
      if (early > 0) await wait(early, signal);
    },
  };
}
