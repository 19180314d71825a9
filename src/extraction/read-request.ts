import { LRUCache } from 'lru-cache';
import type { Endpoint, EndpointParameters } from '../platforms/platform.ts';
import type { Sealer } from '../sealing/sealing.ts';
import { type Wanted, wantedFields } from './field-filter.ts';
import { type Question, questionOf } from './question.ts';
import { type Query, readParameters } from './read-parameters.ts';

const MOST_KNOWN = 1_000;
/** Longer addresses are read anew each time. */
const MOST_LENGTH = 1_000;

/** What a request asks for. */
export interface ReadRequest {
  readonly parameters: EndpointParameters;
  readonly question: Question;
  readonly wanted: Wanted;
}

/** Reads a request by its address and the query in it. The same address, asked for again, is not read again. */
export type RequestReader = (url: string, query: Query) => ReadRequest;

/**
 * Makes the reader of an endpoint.
 *
 * @throws MillraceError (the reader) as `readParameters` and `questionOf`.
 */
export function createRequestReader(platform: string, endpoint: Endpoint, sealer: Sealer): RequestReader {
  const known = new LRUCache<string, ReadRequest>({ max: MOST_KNOWN });
  return (url, query) => {
    const before = known.get(url);
    if (before !== undefined) return before;
    const parameters = readParameters(endpoint.parameters, query);
    const question = questionOf(platform, endpoint, parameters, sealer);
    const request = { parameters, question, wanted: wantedFields(parameters.fields) };
    // Page tokens are good for a time only.
    if (parameters.nextToken === undefined && url.length <= MOST_LENGTH) known.set(url, request);
    return request;
  };
}
