import type { Caller } from '../../contract/caller.ts';
import { MillraceError } from '../../contract/errors.ts';
import { untilAborted } from '../../waiting/until-aborted.ts';
import { createFairQueue, type FairQueue } from './fair-queue.ts';

/** Maximum wait; requests that would wait longer are refused, because an extraction has 25 s in all. */
const MAX_WAIT_MS = 10_000;

/** Time after which a turn has not come in time, although timers may be late. */
const MARGIN_MS = 1_000;

/** Number of hosts above which idle ones are removed. */
const MAX_IDLE_HOSTS = 1_000;

/** The rate limit of a host through one exit. */
export interface RateLimitRules {
  /** Requests per second. */
  readonly rate: number;
  /** Requests that may be sent back to back after a pause. */
  readonly burst: number;
}

/** Delays requests to each host to stay within its rate limit. Callers whose requests wait take turns. */
export interface RateLimiter {
  /**
   * Waits until a request of a caller may be sent to a host through an exit.
   *
   * @throws MillraceError `service_unavailable` if the wait would be too long; the signal's reason.
   */
  acquire(host: string, exit: string, caller: Caller, signal: AbortSignal): Promise<void>;
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

/** A request that waits for its turn. */
type Turn = PromiseWithResolvers<void>;

/** A host through an exit. */
interface Site {
  /** The theoretical arrival time of the next request (the generic cell rate algorithm, ITU-T I.371). */
  arrival: number;
  readonly waiting: FairQueue<Turn>;
  /** Whether a timer will give the next turn. */
  isScheduled: boolean;
}

/**
 * Creates a rate limiter. A request is refused if it would wait too long behind those of its own caller, and one turn
 * of each other caller for each of them. With P requests in the longest wait, at most 2 P (1 + ln P) wait for a host.
 * The reason is that of the callers with at least k waiting requests, only P / k can wait.
 *
 * @param rules Undefined: no limit.
 */
export function createRateLimiter(rules: RateLimitRules | undefined): RateLimiter {
  if (rules === undefined) return { acquire: () => Promise.resolve() };
  const interval = 1000 / rules.rate;
  const sites = new Map<string, Site>();

  function siteOf(key: string): Site {
    const site = sites.get(key) ?? { arrival: 0, waiting: createFairQueue<Turn>(), isScheduled: false };
    sites.set(key, site);
    if (sites.size > MAX_IDLE_HOSTS) forgetIdle(site);
    return site;
  }

  function forgetIdle(except: Site): void {
    const at = performance.now();
    for (const [key, site] of sites) {
      if (site !== except && site.arrival < at && site.waiting.size === 0) sites.delete(key);
    }
  }

  /** Returns the milliseconds until the next request may be sent. */
  const delayOf = ({ arrival }: Site) => Math.max(0, arrival - performance.now() - (rules.burst - 1) * interval);

  function send(site: Site): void {
    site.arrival = Math.max(performance.now(), site.arrival) + interval;
  }

  /** Gives turns when they are due, until no request waits. */
  function schedule(site: Site): void {
    if (site.isScheduled || site.waiting.size === 0) return;
    site.isScheduled = true;
    setTimeout(
      () => {
        site.isScheduled = false;
        while (delayOf(site) === 0) {
          const turn = site.waiting.next();
          if (turn === undefined) break;
          send(site);
          turn.resolve();
        }
        schedule(site);
      },
      Math.ceil(delayOf(site)),
    );
  }

  return {
    async acquire(host, exit, caller, signal) {
      const site = siteOf(`${exit} ${host}`);
      const delay = delayOf(site);
      if (delay === 0 && site.waiting.size === 0) {
        send(site);
        return;
      }
      if (delay + site.waiting.ahead(caller) * interval > MAX_WAIT_MS) throw tooMany(host);
      const turn: Turn = Promise.withResolvers();
      site.waiting.add(caller, turn);
      schedule(site);
      // More callers may have joined in the meantime.
      const timer = setTimeout(() => turn.reject(tooMany(host)), MAX_WAIT_MS + MARGIN_MS);
      try {
        await untilAborted(turn.promise, signal);
      } finally {
        clearTimeout(timer);
        site.waiting.remove(caller, turn);
      }
    },
  };
}

function tooMany(host: string): MillraceError {
  const message = `Too many requests for ${host} are already waiting. Try again in a moment.`;
  return new MillraceError('service_unavailable', message);
}
