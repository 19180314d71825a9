/** What the faults remember of links: those with the same key share their history, others are independent. */
export interface Tokens {
  /** Counts a request. */
  touch(key: string): TokenHistory;
}

/** The past of a key. */
export interface TokenHistory {
  /** Requests so far, this one included. */
  readonly requests: number;
  /** Milliseconds since the first one. */
  readonly age: number;
  /** True the first time it is asked for a name. */
  first(name: string): boolean;
}

interface Memory {
  requests: number;
  readonly since: number;
  readonly spentFaults: Set<string>;
}

/** What a link's history is kept by: its token, or else the whole of it. */
export function linkToken(url: URL): string {
  return url.searchParams.get('token') ?? url.href;
}

/** Remembers the `capacity` keys that were used last. `now` is a clock in milliseconds. */
export function createTokens(now: () => number = () => performance.now(), capacity = 10_000): Tokens {
  const memories = new Map<string, Memory>();
  return {
    touch(key) {
      const memory = memories.get(key) ?? { requests: 0, since: now(), spentFaults: new Set() };
      memory.requests++;
      // The map keeps its order of insertion, so the first key is the one that was not used for the longest time.
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
