/**
 * How long the site shows sign-in walls to an IP address that sends too many requests (some 15 minutes, seen in 2026).
 */
const THROTTLE_MS = 15 * 60_000;

/** A page that was served within this time is known to be public. */
const PUBLIC_MS = 60 * 60_000;

/** After this many different walled pages of one kind in a row, all of them count as rate-limited. */
const IN_A_ROW = 4;

const MAX_PAGES = 5_000;

/**
 * Records of the site's sign-in walls for one service. The site sends the same sign-in page for members-only content
 * and for IP addresses that send too many requests. It limits each kind of page separately.
 */
export interface SignInWalls {
  /** Records that a page of a kind was served. */
  recordPage(kind: string, page: string): void;
  /**
   * Records a walled page. Returns whether the wall means a rate limit, because the page was served before or other
   * pages are walled too.
   */
  recordWall(kind: string, page: string): boolean;
}

/** Creates the records of one service. `now` is a clock in milliseconds. */
export function createSignInWalls(now: () => number = () => performance.now()): SignInWalls {
  const servedPages = new Map<string, number>();
  const walledPages = new Map<string, Map<string, number>>();
  return {
    recordPage(kind, page) {
      remember(servedPages, page, now());
      walledPages.delete(kind);
    },
    recordWall(kind, page) {
      const row = walledPages.get(kind) ?? new Map<string, number>();
      walledPages.set(kind, row);
      remember(row, page, now());
      const recent = [...row.values()].filter((time) => now() - time < THROTTLE_MS);
      return now() - (servedPages.get(page) ?? Number.NEGATIVE_INFINITY) < PUBLIC_MS || recent.length >= IN_A_ROW;
    },
  };
}

/** Moves a page to the end, and drops the oldest one if there are too many. */
function remember(pages: Map<string, number>, page: string, time: number): void {
  pages.delete(page);
  pages.set(page, time);
  const oldest = pages.keys().next();
  if (pages.size > MAX_PAGES && !oldest.done) pages.delete(oldest.value);
}
