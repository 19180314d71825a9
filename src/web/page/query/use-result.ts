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

/** Fetches the result of a query. A new query cancels the previous one. */
export function useResult(query: Query | undefined): RequestState {
  const [requestState, setRequestState] = useState<RequestState>({ state: 'idle' });
  useEffect(() => {
    if (query === undefined) {
      setRequestState({ state: 'idle' });
      return;
    }
    const controller = new AbortController();
    setRequestState({ state: 'loading', query });
    fetchResult(query, { signal: controller.signal }).then(
      (result) => setRequestState({ state: 'loaded', ...result }),
      (error: unknown) => {
        if (!controller.signal.aborted) setRequestState({ state: 'failed', query, error });
      },
    );
    return () => controller.abort();
  }, [query]);
  return requestState;
}
