/**
 * How long the site shows sign-in walls to an IP address that sends too many requests (some 15 minutes, seen in 2026).
 */
const THROTTLE_MS = 15 * 60_000;

/** A page that was served within this time is known to be public. */
const PUBLIC_MS = 60 * 60_000;

/** After this many different walled pages of one kind in a row, a rate limit is suspected. */
const IN_A_ROW = 4;

const MAX_PAGES = 5_000;

/**
 * What a sign-in wall means: content for members only, or a rate limit. The limit is only suspected if no page is known
 * to be public: callers choose the pages, and may choose members-only ones.
 */
type WallMeaning = 'members only' | 'suspected limit' | 'limit';

/**
 * Records of the site's sign-in walls for one service. The site sends the same sign-in page for members-only content
 * and for IP addresses that send too many requests. It limits each kind of page separately.
 */
export interface SignInWalls {
  /** Records that a page of a kind was served. */
  recordPage(kind: string, page: string): void;
  /** Records a walled page. It is a rate limit if the page was served before, and suspected if others are walled too. */
  recordWall(kind: string, page: string): WallMeaning;
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
      if (now() - (servedPages.get(page) ?? Number.NEGATIVE_INFINITY) < PUBLIC_MS) return 'limit';
      return recent.length >= IN_A_ROW ? 'suspected limit' : 'members only';
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
