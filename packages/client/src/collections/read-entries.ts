import { MillraceApiError } from '../errors.ts';
import type { EntryFacts } from './collection-entry.ts';
import type { EntryPage } from './entry-lists.ts';
import type { Position } from './resume-token.ts';

/** Fetches a page of a list: that of the token, or the first one. */
export type FetchPage = (pageToken: string | undefined) => Promise<EntryPage>;

/** What the page of an entry states about the rest of the list. */
interface PagePlace {
  readonly isLastOfPage: boolean;
  /** Whether another page follows. */
  readonly hasNextPage: boolean;
}

/** An entry, and the token of its page. */
interface ListedEntry extends PagePlace {
  readonly facts: EntryFacts;
  readonly pageToken: string | undefined;
}

/** An entry, and the position after it. */
interface PlacedEntry extends PagePlace {
  readonly facts: EntryFacts;
  readonly position: ListPosition;
}

/** The position in a list. */
type ListPosition = Pick<Position, 'pageToken' | 'offset' | 'id'>;

/** Maximum number of pages of a list. Mixes have no end. */
const MAX_PAGES = 500;

/** Number of entries by which the last delivered entry can have moved back in a list that grows at its beginning. */
const MAX_SHIFT = 100;

/**
 * Reads the entries of a list after a position. If the token of a page has expired, starts from the first page and
 * skips the entries up to the position.
 *
 * @throws the errors of `fetchPage`.
 */
export async function* readEntries(fetchPage: FetchPage, start: ListPosition): AsyncGenerator<PlacedEntry, void, void> {
  let position = start;
  let restartedAt: number | undefined;
  for (;;) {
    try {
      for await (const { pageToken, ...entry } of entriesAfter(fetchPage, position)) {
        position = { pageToken, offset: position.offset + 1, id: entry.facts.id };
        yield { ...entry, position };
      }
      return;
    } catch (error) {
      const hasExpired = error instanceof MillraceApiError && error.code === 'invalid_token';
      // A second failure without an entry in between has another cause.
      if (!hasExpired || restartedAt === position.offset) throw error;
      restartedAt = position.offset;
      position = { ...position, pageToken: undefined };
    }
  }
}

/** Reads the entries after a position. */
async function* entriesAfter(fetchPage: FetchPage, position: ListPosition): AsyncGenerator<ListedEntry, void, void> {
  const { pageToken, offset, id } = position;
  if (pageToken !== undefined) {
    const entries = listEntries(fetchPage, pageToken);
    const { isFound } = await skipPast(entries, id, (entry) => entry.pageToken === pageToken);
    if (isFound) return yield* entries;
  }
  const entries = listEntries(fetchPage, undefined);
  if (offset > 0) {
    let passed = 0;
    const isNear = () => {
      passed += 1;
      return passed <= offset + MAX_SHIFT;
    };
    const { skipped, isFound } = await skipPast(entries, id, isNear);
    // The last delivered entry is no longer in the list, or has no ID: its place counts.
    if (!isFound) yield* skipped.slice(offset);
  }
  yield* entries;
}

/** Reads entries up to and including the one with an ID, while they satisfy a condition. */
async function skipPast(
  entries: AsyncGenerator<ListedEntry, void, void>,
  id: string | undefined,
  condition: (entry: ListedEntry) => boolean,
): Promise<{ readonly isFound: boolean; readonly skipped: readonly ListedEntry[] }> {
  const skipped: ListedEntry[] = [];
  // Not a loop over the generator, which would close it.
  for (let next = await entries.next(); !next.done; next = await entries.next()) {
    skipped.push(next.value);
    if (id !== undefined && next.value.facts.id === id) return { isFound: true, skipped };
    if (!condition(next.value)) break;
  }
  return { isFound: false, skipped };
}

/**
 * Reads the entries of a list, page after page. Skips entries of earlier pages. Ends at a page without new entries, and
 * at a page token that repeats.
 */
async function* listEntries(
  fetchPage: FetchPage,
  firstToken: string | undefined,
): AsyncGenerator<ListedEntry, void, void> {
  const earlierIds = new Set<string>();
  const earlierTokens = new Set<string | undefined>();
  let pageToken = firstToken;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { entries, nextToken } = await fetchPage(pageToken);
    earlierTokens.add(pageToken);
    const newEntries = entries.filter(({ id }) => id === undefined || !earlierIds.has(id));
    const hasNextPage = nextToken !== undefined && !earlierTokens.has(nextToken) && page < MAX_PAGES;
    for (const [place, facts] of newEntries.entries()) {
      yield { facts, pageToken, isLastOfPage: place === newEntries.length - 1, hasNextPage };
    }
    if (newEntries.length === 0 || !hasNextPage) return;
    for (const { id } of entries) if (id !== undefined) earlierIds.add(id);
    pageToken = nextToken;
  }
}
