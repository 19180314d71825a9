import type { FastifyBaseLogger } from 'fastify';
import { callerOf, ownerOf } from '../accounts/owner.ts';
import type { BlockIndex } from '../blocks/block-index.ts';
import { type MillraceError, toMillraceError } from '../contract/errors.ts';
import type { MediaHealth } from '../media-health/media-health.ts';
import { noTracing, type Tracer } from '../tracing/tracer.ts';
import { findBlockedParts } from './blocked-parts.ts';
import type { ResultCache, SourceResult } from './cache/result-cache.ts';
import { subjectsOfQuery } from './extraction-subjects.ts';
import type { CacheLookup } from './metrics-port.ts';
import { refusedMediaNote } from './refused-media.ts';
import type { ExtractionRequest } from './request/read-request.ts';
import {
  buildResponse,
  type ExtractionResponse,
  type PendingResponse,
  type ResponseBuilderServices,
} from './response/build-response.ts';
import { failureResponse } from './response/failure-response.ts';
import type { SourceHealth } from './source-health/source-health.ts';

/** Dependencies for fetching responses. */
export interface ResponseServices extends ResponseBuilderServices {
  readonly results: ResultCache;
  readonly health: Pick<SourceHealth, 'note'>;
  readonly mediaHealth: Pick<MediaHealth, 'refusalsOf'>;
  readonly blocks: BlockIndex;
  readonly tracer?: Tracer;
}

/** Options for fetching a response. */
export interface FetchOptions {
  /** Aborted when the caller disconnects. */
  readonly disconnected: AbortSignal;
  /** Whether to ignore cached results. */
  readonly noCache: boolean;
  /** ID of the caller's request, for the body of an error. */
  readonly requestId: string;
  readonly log: FastifyBaseLogger;
  /** Receives how the result is obtained. */
  readonly onLookup: (lookup: CacheLookup) => void;
}

/** @throws MillraceError `blocked` if the operator has blocked the item or the channel that a request names. */
export function refuseBlockedRequest(
  { platform, query }: ExtractionRequest,
  { blocks }: Pick<ResponseServices, 'blocks'>,
): void {
  const refusal = blocks.hasSubjects ? blocks.refusalOf(subjectsOfQuery(platform, query)) : undefined;
  if (refusal !== undefined) throw refusal;
}

/**
 * Returns the response for a cached result, if there is one.
 *
 * @throws MillraceError `blocked`, as {@link responseTo}.
 */
export async function findCachedResponse(
  request: ExtractionRequest,
  services: ResponseServices,
): Promise<ExtractionResponse | PendingResponse | undefined> {
  const result = services.results.get(request.query);
  return result && (await responseTo(result, request, services));
}

/**
 * Creates a function that fetches the result of a request and returns its response. Failures of the source are
 * responses, too.
 *
 * @throws (by the created function) `blocked`, as {@link responseTo}; any other error of the extraction, unchanged.
 */
export function createResponseFetcher(
  request: ExtractionRequest,
  { disconnected, noCache, requestId, log, onLookup }: FetchOptions,
  services: ResponseServices,
): () => Promise<ExtractionResponse> {
  return async () => {
    let isCached = false;
    const noteLookup = (lookup: CacheLookup) => {
      isCached = lookup === 'hit';
      onLookup(lookup);
    };
    try {
      const caller = callerOf(ownerOf(request.account));
      const result = await services.results.fetch(request.query, caller, disconnected, noCache, noteLookup);
      const response = await responseTo(result, request, services, disconnected);
      return 'complete' in response ? await completeResponse(response, log) : response;
    } catch (cause) {
      const error = toMillraceError(cause);
      if (error.origin !== 'source') throw cause;
      logFailure(log, cause, error);
      return failureResponse(error, request, requestId, services.health.note(request.platform.id), isCached);
    }
  };
}

/**
 * Builds the response for a result, in a span, without the parts that the operator has blocked.
 *
 * @throws MillraceError `blocked` if the operator has blocked the whole result, as {@link findBlockedParts}.
 */
async function responseTo(
  result: SourceResult,
  request: ExtractionRequest,
  services: ResponseServices,
  disconnected?: AbortSignal,
): Promise<ExtractionResponse | PendingResponse> {
  const { blocks, tracer = noTracing } = services;
  const blocked = findBlockedParts(request.platform, result.extraction, blocks);
  const notes = healthNotes(result, request, services);
  const build = () => buildResponse(result, request, blocked, notes, services, disconnected);
  return await tracer.span('build response', {}, build);
}

/** Returns notes that the platform fails often, and that the media of the result is often refused. */
function healthNotes(
  { extraction }: SourceResult,
  { platform: { id } }: ExtractionRequest,
  { health, mediaHealth }: ResponseServices,
): readonly string[] {
  return [health.note(id), refusedMediaNote(mediaHealth, id, extraction)].filter((note) => note !== undefined);
}

/** Stores the long orders of a response, and logs a failure to store them. */
export async function completeResponse(response: PendingResponse, log: FastifyBaseLogger): Promise<ExtractionResponse> {
  return await response.complete((err) => {
    const level = toMillraceError(err).code === 'rate_limited' ? 'info' : 'error';
    log[level]({ err }, 'long orders could not be stored, so their items have errors instead of execution URLs');
  });
}

/**
 * Logs a failure. Errors that callers cause are frequent and only callers can fix them, so they are logged at the level
 * `debug`.
 */
export function logFailure(log: FastifyBaseLogger, cause: unknown, { origin, code }: MillraceError): void {
  const level = origin === 'service' ? 'error' : origin === 'request' ? 'debug' : 'info';
  log[level]({ err: cause, code }, 'extraction failed');
}
