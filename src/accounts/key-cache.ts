/** How long a key is known without asking the database, should word of its end not get through. */
const LIFETIME_MS = 10_000;
const MOST_ENTRIES = 10_000;

/** Remembers what was found, for a short time. */
export interface KeyCache<Found> {
  /** What is behind a name; `find` is asked where that is not known. What was not found is not remembered. */
  get(name: string, find: () => Promise<Found | undefined>): Promise<Found | undefined>;
  /** Forgets everything, and what is being looked up at this moment too. */
  clear(): void;
}

/** Makes an empty cache. */
export function createKeyCache<Found>(lifetime = LIFETIME_MS): KeyCache<Found> {
  const entries = new Map<string, { readonly found: Promise<Found | undefined>; readonly until: number }>();
  return {
    get(name, find) {
      const known = entries.get(name);
      if (known !== undefined && known.until > performance.now()) return known.found;
      if (entries.size >= MOST_ENTRIES) entries.clear();
      const entry = { found: find(), until: performance.now() + lifetime };
      entries.set(name, entry);
      const forget = () => {
        if (entries.get(name) === entry) entries.delete(name);
      };
      entry.found.then((found) => {
        if (found === undefined) forget();
      }, forget);
      return entry.found;
    },
    clear: () => entries.clear(),
  };
}
