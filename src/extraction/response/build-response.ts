import type { ErrorCode } from '../../contract/errors.ts';
import type { EndpointParameters } from '../../platforms/platform.ts';
import type { SourceResult } from '../cache/result-cache.ts';
import type { ExtractionRequest } from '../request/read-request.ts';
import type { SourceExtraction } from '../source/extract.ts';
import { cacheHeaders, isSealed } from './cache-headers.ts';
import { type LinkServices, presentExtraction } from './present-extraction.ts';
import { priceNote, priceOf } from './prices.ts';

/** A response that is ready to be charged and sent. */
export interface ExtractionResponse {
  /** JSON that includes the price in its notes. */
  readonly body: Buffer;
  /** Credits. */
  readonly price: number;
  readonly headers: Record<string, string>;
  /** Outcome of the request, for metrics. */
  readonly code: ErrorCode | 'ok';
}

interface RenderedBody {
  readonly body: Buffer;
  readonly price: number;
  readonly isSealed: boolean;
}

/** Number of body variants that are cached for each extraction. Further ones are built for each request. */
const MAX_VARIANTS = 4;

/** Cached bodies by everything that they depend on, kept as long as their extractions are cached. */
const renderedBodies = new WeakMap<SourceExtraction, Map<string, RenderedBody>>();

/** Keys of the parameters that change a body. Repeated requests share one parameters object. */
const variantKeys = new WeakMap<EndpointParameters, string>();

function variantKeyOf(parameters: EndpointParameters): string {
  const existing = variantKeys.get(parameters);
  if (existing !== undefined) return existing;
  const { fields, urlAccess, renderableFormats } = parameters;
  const key = JSON.stringify([fields, urlAccess, renderableFormats]);
  variantKeys.set(parameters, key);
  return key;
}

/**
 * Builds the response for a result. A body without sealed links is the same for all callers of a plan and is built
 * once.
 *
 * @param note States that the platform fails often; absent if it does not.
 */
export function buildResponse(
  result: SourceResult,
  request: ExtractionRequest,
  note: string | undefined,
  services: LinkServices,
): ExtractionResponse {
  const { extraction } = result;
  const { plan, visitor } = request.account;
  const key = `${plan.name} ${visitor !== undefined} ${variantKeyOf(request.parameters)} ${note ?? ''}`;
  const variants = renderedBodies.get(extraction) ?? new Map<string, RenderedBody>();
  const renderedBody = variants.get(key) ?? render(extraction, request, note, services);
  if (!renderedBody.isSealed && !variants.has(key) && variants.size < MAX_VARIANTS) {
    renderedBodies.set(extraction, variants.set(key, renderedBody));
  }
  const { body, price } = renderedBody;
  return { body, price, headers: cacheHeaders(result, renderedBody.isSealed), code: 'ok' };
}

function render(
  extraction: SourceExtraction,
  request: ExtractionRequest,
  note: string | undefined,
  services: LinkServices,
): RenderedBody {
  const result = presentExtraction(extraction, request, services);
  const price = priceOf(request.endpoint, request.parameters, result.contents);
  const notes = [...(result.notes ?? []), ...(note === undefined ? [] : [note]), priceNote(price)];
  const body = Buffer.from(JSON.stringify({ ...result, notes }));
  return { body, price, isSealed: isSealed(result, request.account, services.addresses().base) };
}
