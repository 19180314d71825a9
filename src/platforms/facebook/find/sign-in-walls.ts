/** How long the site walls pages for an address that requests too often (some 15 minutes, seen in 2026). */
const THROTTLE_MS = 15 * 60_000;

/** A page that was served within this time is public. */
const PUBLIC_MS = 60 * 60_000;

/** This many different walled pages of one kind in a row mean that all of them are walled. */
const IN_A_ROW = 4;

const MAX_PAGES = 5_000;

/**
 * The memory of one service of the site's sign-in walls. The site sends the same sign-in page for members-only
 * content and for an address that requests too often, separately for each kind of page.
 */
export interface SignInWalls {
  /** Records that a page of a kind was served. */
  recordPage(kind: string, page: string): void;
  /** Records a walled page. Returns whether the site limits the rate: the page was served before, or others are walled. */
  recordWall(kind: string, page: string): boolean;
}

/** Makes the memory of one service. `now` is a clock in milliseconds. */
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

/** Moves a page to the end, and drops the first one where there are too many. */
function remember(pages: Map<string, number>, page: string, time: number): void {
  pages.delete(page);
  pages.set(page, time);
  const oldest = pages.keys().next();
  if (pages.size > MAX_PAGES && !oldest.done) pages.delete(oldest.value);
}
