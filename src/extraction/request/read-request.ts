import { LRUCache } from 'lru-cache';
import type { Account } from '../../accounts/keys.ts';
import type { Endpoint, EndpointParameters, Platform } from '../../platforms/platform.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import { type QueryParameters, readParameters } from './read-parameters.ts';
import { type IsRequested, requestedParts } from './requested-parts.ts';
import { type SourceQuery, sourceQueryOf } from './source-query.ts';

/** Requests that each endpoint remembers, and the length up to which it remembers a URL. */
const MAX_CACHED_REQUESTS = 1_000;
const MAX_CACHED_URL_LENGTH = 1_000;

/** A request as read. */
interface ParsedRequest {
  readonly parameters: EndpointParameters;
  readonly query: SourceQuery;
  readonly isRequested: IsRequested;
}

/** A request as read, with its caller and where it was sent. */
export interface ExtractionRequest extends ParsedRequest {
  readonly platform: Platform;
  readonly endpoint: Endpoint;
  readonly account: Account;
}

/** Reads a request from its URL and the query string in it. Repeated URLs are not parsed again. */
type RequestReader = (url: string, queryString: QueryParameters) => ParsedRequest;

/**
 * Creates the reader of an endpoint.
 *
 * @throws MillraceError (the reader) as `readParameters` and `sourceQueryOf`.
 */
export function createRequestReader(platform: string, endpoint: Endpoint, sealer: Sealer): RequestReader {
  const parsedRequests = new LRUCache<string, ParsedRequest>({ max: MAX_CACHED_REQUESTS });
  return (url, queryString) => {
    const existing = parsedRequests.get(url);
    if (existing !== undefined) return existing;
    const parameters = readParameters(endpoint.parameters, queryString);
    const query = sourceQueryOf(platform, endpoint, parameters, sealer);
    const request = { parameters, query, isRequested: requestedParts(parameters.fields) };
    // Page tokens expire, so requests with one are read each time.
    if (parameters.nextToken === undefined && url.length <= MAX_CACHED_URL_LENGTH) parsedRequests.set(url, request);
    return request;
  };
}
