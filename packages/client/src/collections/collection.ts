import type { EndpointEntry } from '../endpoint-entry.ts';
import { endpoints } from '../endpoints.ts';
import { MillraceApiError, MillraceCollectionError } from '../errors.ts';
import type { Extraction, ExtractionResponse } from '../extraction.ts';
import type { CallOptions } from '../http/transport.ts';
import type { Parameters } from '../parameters.ts';
import type { RecognisedLink } from '../recognise-link.ts';
import { readDetails } from './collection-details.ts';
import type { CollectionDetails, CollectionEntry, CollectionPage } from './collection-entry.ts';
import { findEntryLists, type SendRequest } from './entry-lists.ts';
import { createPageRequests, remember } from './page-requests.ts';
import { readEntries } from './read-entries.ts';
import { type Position, readResumeToken, startPosition, writeResumeToken } from './resume-token.ts';

/** Options of a collection. */
export interface CollectionOptions extends CallOptions {
  /** The `resumeToken` of an entry: the iteration starts after it. */
  readonly resume?: string | undefined;
  /** Maximum number of entries of an iteration. */
  readonly limit?: number | undefined;
  /**
   * Further parameters of the requests, such as `lang` and `countryCode`, or `renderableFormats` for the media of a
   * post. Endpoints that do not have a parameter do not get it.
   */
  readonly parameters?: Parameters | undefined;
  /** The response to the link, if you have requested it already. It takes the place of the first such request. */
  readonly firstResponse?: ExtractionResponse | undefined;
}

/**
 * The entries behind a link. Requests pages only when an iteration needs them, at most 500 of a list. Each iteration
 * starts at the beginning, or after the entry of `resume`.
 */
export interface Collection extends AsyncIterable<CollectionEntry> {
  /**
   * Returns what the platform states about the collection. Requests the first page, which the iteration then uses.
   *
   * @throws The same errors as the iteration.
   */
  details(): Promise<CollectionDetails>;
  /** Iterates over the entries as they arrive together, page by page. There are no empty pages. */
  pages(): AsyncIterable<CollectionPage>;
}

/** The calls for collections. */
export interface Collections {
  /**
   * Iterates over the entries of a playlist, mix, channel, search, hashtag or profile, or over the items of a post. A
   * channel consists of all its uploads. A p3 profile consists of its reels and photos, without those that require a
   * sign-in. Platforms that do not list the posts of a profile cause the error `not_listed`.
   *
   * Entries that repeat on a later page are skipped. If the token of a page has expired (after 15 minutes), the
   * iteration starts from the first page and skips what it has delivered.
   *
   * @throws MillraceCollectionError; the same errors as `extract`.
   */
  collection(link: RecognisedLink, options?: CollectionOptions): Collection;
}

/** Creates the calls for collections. */
export function createCollections({ extractLink }: Pick<Extraction, 'extractLink'>): Collections {
  return {
    collection(link, collectionOptions = {}) {
      const {
        resume,
        limit = Number.POSITIVE_INFINITY,
        parameters = {},
        firstResponse,
        ...options
      } = collectionOptions;
      const key = keyOf(link);
      const start = resume === undefined ? startPosition : readPosition(key, resume);
      let unusedResponse = firstResponse;
      const send: SendRequest = async (target, pageToken) => {
        const present = target === link && pageToken === undefined ? unusedResponse : undefined;
        if (present === undefined)
          return extractLink(target, { ...accepted(target, parameters), nextToken: pageToken }, options);
        unusedResponse = undefined;
        return present;
      };
      const lists = remember(() => findEntryLists(link, send));
      const pages = createPageRequests(send);

      async function* readAll(): AsyncGenerator<ReadEntry, void, void> {
        let { index } = start;
        const end = index + limit;
        if (index >= end) return;
        const refusals: MillraceApiError[] = [];
        const found = await lists();
        for (const [number, list] of found.entries()) {
          if (number < start.list) continue;
          const from = number === start.list ? start : startPosition;
          const before = index - from.offset;
          try {
            const read = readEntries((token) => pages.fetchPage(list, token), from);
            for await (const { facts, position, isLastOfPage, hasNextPage } of read) {
              index += 1;
              const resumeToken = writeResumeToken(key, { ...position, list: number, index });
              const hasMore = (hasNextPage || number < found.length - 1) && index < end;
              yield { entry: { index, ...facts, resumeToken }, isLastOfPage, hasMore };
              if (index >= end) return;
            }
          } catch (error) {
            const refusal = signInRefusal(error);
            // The end of this list is missing.
            if (index > before) throw refusal;
            refusals.push(refusal);
          }
        }
        const [refusal] = refusals;
        if (refusal !== undefined && refusals.length === found.length) throw refusal;
      }

      async function* iterate(): AsyncGenerator<CollectionEntry, void, void> {
        for await (const { entry } of readAll()) yield entry;
      }

      async function* iteratePages(): AsyncGenerator<CollectionPage, void, void> {
        let entries: CollectionEntry[] = [];
        for await (const { entry, isLastOfPage, hasMore } of readAll()) {
          entries.push(entry);
          if (!isLastOfPage) continue;
          yield { entries, hasMore };
          entries = [];
        }
        // The limit can end the iteration within a page.
        if (entries.length > 0) yield { entries, hasMore: false };
      }

      return {
        pages: iteratePages,
        async details() {
          const refusals: MillraceApiError[] = [];
          for (const list of await lists()) {
            try {
              return readDetails(list.link, await pages.firstResponse(list));
            } catch (error) {
              refusals.push(signInRefusal(error));
            }
          }
          throw refusals[0];
        },
        [Symbol.asyncIterator]: iterate,
      };
    },
  };
}

/** An entry, and its place in the pages of the collection. */
interface ReadEntry {
  readonly entry: CollectionEntry;
  readonly isLastOfPage: boolean;
  readonly hasMore: boolean;
}

/** Returns a text that identifies a collection in resume tokens. */
function keyOf({ platform, endpoint, parameters }: RecognisedLink): string {
  return [platform, endpoint, new URLSearchParams(parameters)].join(' ');
}

function readPosition(key: string, token: string): Position {
  const position = readResumeToken(key, token);
  if (position !== undefined) return position;
  throw new MillraceCollectionError(
    'invalid_resume',
    'The resume token is damaged or belongs to another link. Start the collection without it.',
  );
}

/** Returns an error that refuses one list of a collection. Throws any other error. */
function signInRefusal(error: unknown): MillraceApiError {
  if (error instanceof MillraceApiError && error.code === 'signin_required') return error;
  throw error;
}

/** Returns the parameters that the endpoint of a link has. */
function accepted({ platform, endpoint }: RecognisedLink, parameters: Parameters): Parameters {
  const table: Readonly<Record<string, EndpointEntry>> = endpoints[platform];
  const names = Object.keys(table[endpoint]?.optional ?? {});
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => names.includes(name)));
}
