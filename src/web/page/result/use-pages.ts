import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CollectionEntry, CollectionPage, ExtractionResponse, ListItem, RecognisedLink } from '#client/index.ts';
import { announce } from '../common/announcer.ts';
import { client } from '../common/client.ts';
import { messages } from '../language/language.ts';

/** The loaded part of a list. */
interface LoadedPages {
  readonly items: readonly ListItem[];
  readonly hasMore: boolean;
}

/** The pages of a list, which are loaded one after the other. */
export interface Pages {
  /** Undefined until the first page is loaded. */
  readonly items: readonly ListItem[] | undefined;
  readonly hasMore: boolean;
  readonly busy: boolean;
  readonly error: unknown;
  /** Loads the next page. */
  loadMore(): Promise<void>;
  /** Loads the pages up to a number of items, and returns the items; undefined if a page could not be loaded. */
  loadUpTo(limit: number): Promise<readonly ListItem[] | undefined>;
}

/** Loads the pages of a list for a component, which has one list as long as it exists. */
export function usePages(link: RecognisedLink, firstResponse?: ExtractionResponse): Pages {
  const [pages, setPages] = useState<LoadedPages>();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const fetchNext = useRef<FetchNext>(undefined);

  const load = async (previous: LoadedPages | undefined, limit: number): Promise<LoadedPages | undefined> => {
    if (busy || fetchNext.current === undefined) return undefined;
    setBusy(true);
    setError(undefined);
    let loaded = previous;
    try {
      do {
        const { entries, hasMore } = await fetchNext.current();
        loaded = { items: [...(loaded?.items ?? []), ...entries.flatMap(({ item }) => item ?? [])], hasMore };
        setPages(loaded);
      } while (loaded.hasMore && loaded.items.length < limit);
      // The result, which has the focus, contains its first page.
      if (previous !== undefined || firstResponse === undefined)
        announce(messages().list.loaded(loaded.items.length - (previous?.items.length ?? 0)));
      return loaded;
    } catch (failure) {
      setError(failure);
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  // Runs before the browser paints, so that a page that is already loaded appears at once.
  useLayoutEffect(() => {
    const controller = new AbortController();
    fetchNext.current = openPages(link, firstResponse, controller.signal);
    void load(undefined, 0);
    return () => controller.abort();
  }, []);

  return {
    items: pages?.items,
    hasMore: pages?.hasMore === true,
    busy,
    error,
    async loadMore() {
      await load(pages, 0);
    },
    async loadUpTo(limit) {
      if (pages !== undefined && (!pages.hasMore || pages.items.length >= limit)) return pages.items;
      return (await load(pages, limit))?.items;
    },
  };
}

/** Fetches the next page of a list. After the last page, returns an empty one. */
type FetchNext = () => Promise<CollectionPage>;

/** Opens a list. After a failure, the next call continues after the entries before it. */
function openPages(
  link: RecognisedLink,
  firstResponse: ExtractionResponse | undefined,
  signal: AbortSignal,
): FetchNext {
  let pages: AsyncIterator<CollectionPage> | undefined;
  let last: CollectionEntry | undefined;
  return async () => {
    pages ??= client
      .collection(link, last === undefined ? { firstResponse, signal } : { resume: last.resumeToken, signal })
      .pages()
      [Symbol.asyncIterator]();
    try {
      const { value, done } = await pages.next();
      if (done === true) return { entries: [], hasMore: false };
      last = value.entries.at(-1) ?? last;
      return value;
    } catch (error) {
      // An iteration that has failed cannot continue.
      pages = undefined;
      throw error;
    }
  };
}
