/** Lifetime of entries, in case the notification of a revoked key is lost. */
const LIFETIME_MS = 10_000;
const MAX_ENTRIES = 10_000;

/** Caches lookups for a short time. */
interface KeyCache<Value> {
  /** Returns the value of a key, from `find` if it is not cached. Missing values are not cached. */
  get(key: string, find: () => Promise<Value | undefined>): Promise<Value | undefined>;
  /** Clears the cache, including the results of running lookups. */
  clear(): void;
}

/** Creates an empty cache. */
export function createKeyCache<Value>(lifetime = LIFETIME_MS): KeyCache<Value> {
  const entries = new Map<string, { readonly value: Promise<Value | undefined>; readonly expiresAt: number }>();
  return {
    get(key, find) {
      const cachedEntry = entries.get(key);
      if (cachedEntry !== undefined && cachedEntry.expiresAt > performance.now()) return cachedEntry.value;
      if (entries.size >= MAX_ENTRIES) entries.clear();
      const entry = { value: find(), expiresAt: performance.now() + lifetime };
      entries.set(key, entry);
      const remove = () => {
        if (entries.get(key) === entry) entries.delete(key);
      };
      entry.value.then((value) => {
        if (value === undefined) remove();
      }, remove);
      return entry.value;
    },
    clear: () => entries.clear(),
  };
}
