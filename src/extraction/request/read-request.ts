import { LRUCache } from 'lru-cache';
import type { Account } from '../../accounts/keys.ts';
import type { Endpoint, EndpointParameters, Platform } from '../../platforms/platform.ts';
import type { RenderOptions } from '../../renderables/render-options.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import { type QueryParameters, readParameters } from './read-parameters.ts';
import { readRenderOptions } from './read-render-options.ts';
import { type IsRequested, requestedParts } from './requested-parts.ts';
import { type SourceQuery, sourceQueryOf } from './source-query.ts';

/** Number of requests that each endpoint caches, and the maximum length of the URLs that it caches. */
const MAX_CACHED_REQUESTS = 1_000;
const MAX_CACHED_URL_LENGTH = 1_000;

/** A parsed request. */
interface ParsedRequest {
  readonly parameters: EndpointParameters;
  readonly query: SourceQuery;
  readonly isRequested: IsRequested;
  readonly renderOptions: RenderOptions;
}

/** A parsed request with its caller and its endpoint. */
export interface ExtractionRequest extends ParsedRequest {
  readonly platform: Platform;
  readonly endpoint: Endpoint;
  readonly account: Account;
}

/** Parses a request from its URL and query string. Repeated URLs are not parsed again. */
type RequestReader = (url: string, queryString: QueryParameters) => ParsedRequest;

/**
 * Creates the request reader of an endpoint.
 *
 * @throws MillraceError (by the created reader) as `readParameters`, `readRenderOptions` and `sourceQueryOf`.
 */
export function createRequestReader(platform: string, endpoint: Endpoint, sealer: Sealer): RequestReader {
  const parsedRequests = new LRUCache<string, ParsedRequest>({ max: MAX_CACHED_REQUESTS });
  return (url, queryString) => {
    const existing = parsedRequests.get(url);
    if (existing !== undefined) return existing;
    const parameters = readParameters(endpoint.parameters, queryString);
    const query = sourceQueryOf(platform, endpoint, parameters, sealer);
    const request = {
      parameters,
      query,
      isRequested: requestedParts(parameters.fields),
      renderOptions: readRenderOptions(parameters),
    };
    // Page tokens expire, so requests with one are parsed every time.
    if (parameters.nextToken === undefined && url.length <= MAX_CACHED_URL_LENGTH) parsedRequests.set(url, request);
    return request;
  };
}
