/** Request history of links, for the faults. Links with the same key share their history; others are independent. */
export interface Tokens {
  /** Counts a request. */
  touch(key: string): TokenHistory;
}

/** History of a key. */
export interface TokenHistory {
  /** Number of requests so far, including this one. */
  readonly requests: number;
  /** Milliseconds since the first request. */
  readonly age: number;
  /** Returns true at the first call with a name. */
  first(name: string): boolean;
}

interface Memory {
  requests: number;
  readonly since: number;
  readonly spentFaults: Set<string>;
}

/** Returns the key of a link's history: its token, or else the whole link. */
export function linkToken(url: URL): string {
  return url.searchParams.get('token') ?? url.href;
}

/** Stores the `capacity` most recently used keys. `now` is a clock in milliseconds. */
export function createTokens(now: () => number = () => performance.now(), capacity = 10_000): Tokens {
  const memories = new Map<string, Memory>();
  return {
    touch(key) {
      const memory = memories.get(key) ?? { requests: 0, since: now(), spentFaults: new Set() };
      memory.requests++;
      // The map keeps its order of insertion, so the first key is the least recently used one.
      memories.delete(key);
      memories.set(key, memory);
      const oldest = memories.keys().next();
      if (memories.size > capacity && !oldest.done) memories.delete(oldest.value);
      return {
        requests: memory.requests,
        age: now() - memory.since,
        first(name) {
          if (memory.spentFaults.has(name)) return false;
          memory.spentFaults.add(name);
          return true;
        },
      };
    },
  };
}
