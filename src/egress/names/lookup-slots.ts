import { addAbortListener } from 'node:events';

/** Limits how many lookups are in progress. */
export interface LookupSlots {
  /**
   * Waits for a slot. The returned function gives it back.
   *
   * @throws The signal's reason; Error if too many lookups are waiting.
   */
  acquire(site: string, signal: AbortSignal): Promise<() => void>;
}

/** A lookup that waits. */
interface Waiting {
  start(): void;
  fail(reason: unknown): void;
}

/** The lookups of a site: how many are in progress, and those that wait, oldest first. */
interface Site {
  running: number;
  readonly waiting: Waiting[];
}

/** Second-level domains below which anyone can register a domain. */
const sharedDomain = /^(?:ac|co|com|edu|go|gob|gov|ne|net|or|org)\.[a-z]{2}$/;

/**
 * Returns the domain below which one owner can create any number of names: the last two labels of a name, or three if
 * the last two are a domain such as `co.uk`.
 */
export function siteOf(name: string): string {
  const labels = name.split('.');
  const two = labels.slice(-2).join('.');
  return sharedDomain.test(two) ? labels.slice(-3).join('.') : two;
}

/**
 * Creates the slots of all lookups. A site whose name servers do not answer occupies only the slots of one site. If all
 * slots are taken, the next one goes to the site that has the fewest. If too many lookups wait, one of the site that has
 * the most of them fails.
 */
export function createLookupSlots({ total = 256, perSite = 8, maxWaiting = 1_000 } = {}): LookupSlots {
  /** Sites with lookups, the one that got a slot last at the end. */
  const sites = new Map<string, Site>();
  let running = 0;
  let waiting = 0;

  const isFree = (site: Site) => running < total && site.running < perSite;

  function take(name: string, site: Site): () => void {
    running += 1;
    site.running += 1;
    sites.delete(name);
    sites.set(name, site);
    return () => {
      running -= 1;
      site.running -= 1;
      forgetIdle(name, site);
      startNext();
    };
  }

  function forgetIdle(name: string, site: Site): void {
    if (site.running === 0 && site.waiting.length === 0) sites.delete(name);
  }

  function startNext(): void {
    let next: Site | undefined;
    for (const site of sites.values()) {
      const isCandidate = site.waiting.length > 0 && isFree(site);
      if (isCandidate && (next === undefined || site.running < next.running)) next = site;
    }
    next?.waiting[0]?.start();
  }

  function failNewest(): void {
    let crowded: Site | undefined;
    for (const site of sites.values()) {
      if (crowded === undefined || site.waiting.length > crowded.waiting.length) crowded = site;
    }
    crowded?.waiting.at(-1)?.fail(new Error('too many lookups are waiting'));
  }

  return {
    async acquire(name, signal) {
      signal.throwIfAborted();
      const site = sites.get(name) ?? { running: 0, waiting: [] };
      if (isFree(site)) return take(name, site);
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const leave = () => {
        listener[Symbol.dispose]();
        site.waiting.splice(site.waiting.indexOf(entry), 1);
        waiting -= 1;
        forgetIdle(name, site);
      };
      const entry: Waiting = {
        start() {
          leave();
          resolve(take(name, site));
        },
        fail(reason) {
          leave();
          reject(reason);
        },
      };
      const listener = addAbortListener(signal, () => entry.fail(signal.reason));
      sites.set(name, site);
      site.waiting.push(entry);
      waiting += 1;
      if (waiting > maxWaiting) failNewest();
      return await promise;
    },
  };
}
