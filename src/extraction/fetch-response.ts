import type { FastifyBaseLogger } from 'fastify';
import { type MillraceError, toMillraceError } from '../contract/errors.ts';
import type { ResultCache } from './cache/result-cache.ts';
import type { ExtractionRequest } from './request/read-request.ts';
import { buildResponse, type ExtractionResponse } from './response/build-response.ts';
import { failureResponse } from './response/failure-response.ts';
import type { LinkServices } from './response/present-extraction.ts';
import type { SourceHealth } from './source-health/source-health.ts';

/** Dependencies for fetching responses. */
export interface ResponseServices extends LinkServices {
  readonly results: ResultCache;
  readonly health: SourceHealth;
}

/** Options for fetching a response. */
export interface FetchOptions {
  /** Aborted when the caller disconnects. */
  readonly disconnected: AbortSignal;
  /** Whether to ignore cached results. */
  readonly noCache: boolean;
  readonly log: FastifyBaseLogger;
}

/** Returns the response for a cached result, if there is one. */
export function findCachedResponse(
  request: ExtractionRequest,
  services: ResponseServices,
): ExtractionResponse | undefined {
  const result = services.results.get(request.query);
  return result && buildResponse(result, request, services.health.note(request.platform.id), services);
}

/**
 * Creates a function that fetches the result of a request and returns its response. Failures of the source are
 * responses, too.
 *
 * @throws (by the created function) any other error of the extraction, unchanged.
 */
export function createResponseFetcher(
  request: ExtractionRequest,
  { disconnected, noCache, log }: FetchOptions,
  services: ResponseServices,
): () => Promise<ExtractionResponse> {
  const note = () => services.health.note(request.platform.id);
  return async () => {
    try {
      const result = await services.results.fetch(request.query, disconnected, noCache);
      return buildResponse(result, request, note(), services);
    } catch (cause) {
      const error = toMillraceError(cause);
      if (error.origin !== 'source') throw cause;
      logFailure(log, cause, error);
      return failureResponse(error, request, note());
    }
  };
}

/**
 * Logs a failure. Errors that callers cause are frequent and only callers can fix them, so they are logged at the level
 * `debug`.
 */
export function logFailure(log: FastifyBaseLogger, cause: unknown, { origin, code }: MillraceError): void {
  const level = origin === 'service' ? 'error' : origin === 'request' ? 'debug' : 'info';
  log[level]({ err: cause, code }, 'extraction failed');
}
