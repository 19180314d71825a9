import type { ExtractionResponse, MediaItem } from '#client/index.ts';
import { messages } from '../language/language.ts';
import { fetchResult } from './fetch-result.ts';
import type { QueryResult } from './query-result.ts';
import { isLinkExpired, sameMedia } from './same-media.ts';

/** Fresh results, by the result whose links have expired. All links of a result share one. */
const freshResults = new WeakMap<ExtractionResponse, Promise<ExtractionResponse>>();

/**
 * Returns the same media item with a new link. Repeats the query once for all links of a result.
 *
 * @throws MillraceApiError, MillraceNetworkError; Error if the result no longer has the item.
 */
export async function freshMedia({ query, result }: QueryResult, item: MediaItem): Promise<MediaItem> {
  const pending =
    freshResults.get(result) ?? fetchResult(query, { fresh: true }).then(({ result: freshResult }) => freshResult);
  freshResults.set(result, pending);
  try {
    const fresh = sameMedia(result.contents ?? [], item, (await pending).contents ?? []);
    if (fresh === undefined) throw new Error(messages().choices.noLongerAvailable(item.label));
    if (isLinkExpired(fresh)) throw new Error(messages().result.linkStillExpired);
    return fresh;
  } catch (error) {
    // The next attempt repeats the query.
    if (freshResults.get(result) === pending) freshResults.delete(result);
    throw error;
  }
}
