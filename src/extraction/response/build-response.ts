import type { ExtractionResult } from '../../contract/envelope.ts';
import { type ErrorCode, MillraceError } from '../../contract/errors.ts';
import { appliedParameters } from '../../contract/render-parameters.ts';
import { testMember } from '../../contract/test-member.ts';
import type { EndpointParameters } from '../../platforms/platform.ts';
import type { LongOrder, StoreOrders } from '../../render/jobs/execution-url.ts';
import { mapInSteps, runSoon, type Steps } from '../../waiting/steps.ts';
import type { BlockedParts } from '../blocked-parts.ts';
import type { SourceResult } from '../cache/result-cache.ts';
import type { ExtractionRequest } from '../request/read-request.ts';
import type { SourceExtraction } from '../source/extract.ts';
import { cacheHeaders, isSealed } from './cache-headers.ts';
import { type LinkServices, presentExtraction } from './present-extraction.ts';
import { chargeFor, priceNote, priceOf } from './prices.ts';
import { withoutRenders } from './renderable-items.ts';

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

/** A response with execution URLs whose orders must be stored before it is charged and sent. */
export interface PendingResponse {
  /**
   * Stores the orders and returns the response. If they cannot be stored, its items have an error instead of a URL.
   *
   * @param onFailure Called with the reason why the orders could not be stored.
   */
  complete(onFailure: (error: unknown) => void): Promise<ExtractionResponse>;
}

/** Dependencies for building responses. */
export interface ResponseBuilderServices extends LinkServices {
  readonly storeOrders: StoreOrders;
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
  const key = JSON.stringify(appliedParameters.map((name) => parameters[name]));
  variantKeys.set(parameters, key);
  return key;
}

/**
 * Builds the response for a result, in steps. A body without sealed links is the same for all callers of a plan and is
 * built once, unless parts are blocked. A response with orders that are too long for their URLs is pending until they have been stored.
 *
 * @param blocked The parts to leave out.
 * @param healthNotes State that the platform fails often, or that its media is often refused.
 * @param signal Aborted when the caller disconnects.
 * @throws The signal's reason.
 */
export async function buildResponse(
  result: SourceResult,
  request: ExtractionRequest,
  blocked: BlockedParts,
  healthNotes: readonly string[],
  services: ResponseBuilderServices,
  signal?: AbortSignal,
): Promise<ExtractionResponse | PendingResponse> {
  const { extraction } = result;
  const { plan, visitor } = request.account;
  const key = `${plan.name} ${visitor !== undefined} ${variantKeyOf(request.parameters)} ${healthNotes.join(' ')}`;
  const variants = renderedBodies.get(extraction) ?? new Map<string, RenderedBody>();
  const isShared = blocked.count === 0 && !blocked.sound;
  const existing = isShared ? variants.get(key) : undefined;
  if (existing !== undefined) return toResponse(result, existing);
  const longOrders: LongOrder[] = [];
  const keepLongOrder = (order: LongOrder) => longOrders.push(order);
  const presented = await runSoon(presentExtraction(extraction, request, blocked, services, keepLongOrder), signal);
  const render = (shown: ExtractionResult) =>
    runSoon(renderBody(shown, result.isCached, request, healthNotes, services), signal);
  if (longOrders.length === 0) {
    const body = await render(presented);
    if (isShared && !body.isSealed && variants.size < MAX_VARIANTS)
      renderedBodies.set(extraction, variants.set(key, body));
    return toResponse(result, body);
  }
  return {
    async complete(onFailure) {
      try {
        await services.storeOrders(longOrders, plan);
      } catch (error) {
        onFailure(error);
        // The next request can succeed, so this response must not be cached.
        const body = await render(withoutOrders(presented, longOrders, notStoredError(error)));
        return toResponse(result, { ...body, isSealed: true });
      }
      return toResponse(result, await render(presented));
    },
  };
}

function toResponse(result: SourceResult, { body, price, isSealed: sealed }: RenderedBody): ExtractionResponse {
  return { body, price, headers: cacheHeaders(result, sealed), code: 'ok' };
}

/** Returns the error of the items whose orders are not stored. */
function notStoredError(cause: unknown): MillraceError {
  if (cause instanceof MillraceError && cause.code === 'rate_limited') return cause;
  const message = 'The render of this format could not be prepared. Send the same request again in a few seconds.';
  return new MillraceError('service_unavailable', message, { cause });
}

/** Returns a result whose items have an error in place of the execution URLs of these orders. */
function withoutOrders(
  result: ExtractionResult,
  orders: readonly LongOrder[],
  { message }: MillraceError,
): ExtractionResult {
  const jobIds = new Set(orders.map(({ order }) => order.description.id));
  const contents = result.contents?.map(({ renderableVideos, renderableAudios, ...others }) => ({
    ...others,
    ...(renderableVideos && { renderableVideos: withoutRenders(renderableVideos, jobIds, message) }),
    ...(renderableAudios && { renderableAudios: withoutRenders(renderableAudios, jobIds, message) }),
  }));
  return { ...result, ...(contents && { contents }) };
}

/** @param isCached Whether the result comes from the cache. */
function* renderBody(
  result: ExtractionResult,
  isCached: boolean,
  request: ExtractionRequest,
  healthNotes: readonly string[],
  services: LinkServices,
): Steps<RenderedBody> {
  const { account } = request;
  const price = chargeFor(account, priceOf(request.endpoint, request.parameters, result.contents), isCached);
  const notes = [...(result.notes ?? []), ...healthNotes, priceNote(price)];
  const body = yield* resultJson({ ...result, notes, ...testMember(account.test) });
  return { body, price, isSealed: isSealed(result, account, services.addresses().base) };
}

/** Returns the JSON of a result, one content item in each step. */
function* resultJson(result: ExtractionResult): Steps<Buffer> {
  const members: string[] = [];
  for (const [name, value] of Object.entries<unknown>({ ...result })) {
    const json = Array.isArray(value)
      ? `[${(yield* mapInSteps<unknown, string>(value, (each) => JSON.stringify(each))).join(',')}]`
      : JSON.stringify(value);
    members.push(`${JSON.stringify(name)}:${json}`);
    yield undefined;
  }
  return Buffer.from(`{${members.join(',')}}`);
}
