import { MillraceError } from '../../../contract/errors.ts';
import { noSubjects } from '../../../contract/subjects.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import type { ItemList } from '../parse/item-list.ts';
import { partsOfPosts } from '../parse/items/post-parts.ts';
import { readLocalisedPage } from '../parse/localised-page.ts';
import { isPastLastPage, readSearchInfo } from '../parse/search-info.ts';
import type { EndpointFactory } from './endpoint-factory.ts';
import { type SearchKind, searchParameters, searchParams, searchQuery, sortNotes } from './search-parameters.ts';

const endOfList: ItemList = { items: [], messages: [], unread: {} };

/** The endpoints for searches of all types, or of one type. */
export const searches: readonly EndpointFactory[] = [
  searchEndpoint('/search', 'Search for anything'),
  searchEndpoint('/search/video', 'Search for videos', 'video'),
  searchEndpoint('/search/channel', 'Search for channels', 'channel'),
  searchEndpoint('/search/playlist', 'Search for playlists', 'playlist'),
  searchEndpoint('/search/movie', 'Search for films', 'movie'),
];

function searchEndpoint(path: string, summary: string, kind?: SearchKind): EndpointFactory {
  return (openInnertube) =>
    defineEndpoint({
      path,
      summary,
      parameters: searchParameters,
      credits: 1,
      contents: false,
      returns: ['additionalData.searchResults.results', 'additionalData.searchResults.nextToken'],
      subjects: () => noSubjects,
      async extract(parameters, context) {
        const { pages } = context;
        const query = searchQuery(parameters);
        const body =
          pages.cursor === undefined
            ? { query, params: searchParams(kind, parameters) }
            : { continuation: pages.cursor };
        const page = await openInnertube(parameters, context).requestLocalised('search', body).catch(rethrowRefusal);
        const info = readSearchInfo(page.response);
        const isEnd = pages.cursor !== undefined && isPastLastPage(page.response);
        const { items, continuation, messages, unread } = isEnd ? endOfList : readLocalisedPage(page);
        const nextToken = pages.token(continuation, noSubjects);
        return {
          metadata: { additionalData: { searchResults: { results: items, ...info, nextToken } } },
          parts: partsOfPosts(items, ['additionalData', 'searchResults', 'results']),
          notes: [...sortNotes(parameters), ...messages],
          unread,
        };
      },
    });
}

/**
 * Rethrows a refusal as an error about the query. A search has no ID that could be wrong, so the text itself was
 * refused.
 */
function rethrowRefusal(error: unknown): never {
  if (!(error instanceof MillraceError) || error.code !== 'not_found') throw error;
  const message = 'YouTube does not accept this search text. Shorten it or use other words.';
  throw new MillraceError('invalid_params', message, { parameter: 'query', cause: error });
}
