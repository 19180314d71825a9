/** For so long the site walls a page for an address that has asked too often (some 15 minutes, seen in 2026). */
const THROTTLE_MS = 15 * 60_000;

/** A page that was shown within this time is public. */
const KNOWN_MS = 60 * 60_000;

/** So many different pages of one kind in a row that are walled tell that all of them are. */
const IN_A_ROW = 4;

const MAX_PAGES = 5_000;

/**
 * What one service remembers of the site's walls. The site answers with the same sign-in page what is for members only
 * and what this address has asked for too often, page kind by page kind.
 */
export interface Walls {
  /** A page of a kind was shown. */
  passed(route: string, page: string): void;
  /** A page of a kind was walled. True where that is for asking too often: it was shown before, or others are walled. */
  met(route: string, page: string): boolean;
}

/** Makes the memory of one service. `now` is a clock in milliseconds. */
export function createWalls(now: () => number = () => performance.now()): Walls {
  const shown = new Map<string, number>();
  const walled = new Map<string, Map<string, number>>();
  return {
    passed(route, page) {
      remember(shown, page, now());
      walled.delete(route);
    },
    met(route, page) {
      const row = walled.get(route) ?? new Map<string, number>();
      walled.set(route, row);
      remember(row, page, now());
      const recent = [...row.values()].filter((time) => now() - time < THROTTLE_MS);
      return now() - (shown.get(page) ?? Number.NEGATIVE_INFINITY) < KNOWN_MS || recent.length >= IN_A_ROW;
    },
  };
}

/** Puts a page last, and drops the first one where there are too many. */
function remember(pages: Map<string, number>, page: string, time: number): void {
  pages.delete(page);
  pages.set(page, time);
  const oldest = pages.keys().next();
  if (pages.size > MAX_PAGES && !oldest.done) pages.delete(oldest.value);
}
