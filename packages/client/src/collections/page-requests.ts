import type { ExtractionResponse } from '../extraction.ts';
import type { EntryList, EntryPage, SendRequest } from './entry-lists.ts';

/** Requests the pages of the lists of a collection. */
export interface PageRequests {
  /** Returns the first page of a list as a response. The next {@link fetchPage} without a token uses the same one. */
  firstResponse(list: EntryList): Promise<ExtractionResponse>;
  /** Fetches a page of a list: that of the token, or the first one. */
  fetchPage(list: EntryList, pageToken: string | undefined): Promise<EntryPage>;
}

/** Creates the requests of one collection. */
export function createPageRequests(send: SendRequest): PageRequests {
  const firstPages = new Map<EntryList, () => Promise<ExtractionResponse>>();
  /** Lists whose first page has been used. A later iteration requests a new one, whose token has not expired. */
  const usedLists = new Set<EntryList>();

  function firstResponse(list: EntryList): Promise<ExtractionResponse> {
    const request = firstPages.get(list) ?? remember(() => send(list.link));
    firstPages.set(list, request);
    return request();
  }

  return {
    firstResponse,
    async fetchPage(list, pageToken) {
      if (pageToken !== undefined || usedLists.has(list)) return list.read(await send(list.link, pageToken));
      const response = await firstResponse(list);
      usedLists.add(list);
      return list.read(response);
    },
  };
}

/** Calls a function once and returns its result from then on. Calls it again after a failure. */
export function remember<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= create().catch((error: unknown) => {
      value = undefined;
      throw error;
    });
    return value;
  };
}
