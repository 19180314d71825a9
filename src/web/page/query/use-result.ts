import { useEffect, useState } from 'preact/hooks';
import { fetchResult } from './fetch-result.ts';
import type { Query } from './query.ts';
import type { QueryResult } from './query-result.ts';

/** The state of a request. */
export type RequestState =
  | { readonly state: 'idle' }
  | { readonly state: 'loading'; readonly query: Query }
  | ({ readonly state: 'loaded' } & QueryResult)
  | { readonly state: 'failed'; readonly query: Query; readonly error: unknown };

/** Fetches the result of a query. A new query cancels the one before. */
export function useResult(query: Query | undefined): RequestState {
  const [request, setRequest] = useState<RequestState>({ state: 'idle' });
  useEffect(() => {
    if (query === undefined) {
      setRequest({ state: 'idle' });
      return;
    }
    const replaced = new AbortController();
    setRequest({ state: 'loading', query });
    fetchResult(query, replaced.signal).then(
      (loaded) => setRequest({ state: 'loaded', ...loaded }),
      (error: unknown) => {
        if (!replaced.signal.aborted) setRequest({ state: 'failed', query, error });
      },
    );
    return () => replaced.abort();
  }, [query]);
  return request;
}
