import type { Account } from '../../accounts/keys.ts';
import type { ExtractedContent } from '../../contract/envelope.ts';
import type { ErrorCode, MillraceError } from '../../contract/errors.ts';
import { routineNotes } from '../../contract/routine-notes.ts';
import type { Endpoint, EndpointParameters } from '../../platforms/platform.ts';

/**
 * Returns the credits that an account is charged for a price: test keys are free of charge, and cached results for
 * visitors of the page.
 */
export function chargeFor(
  { test, visitor }: Pick<Account, 'test' | 'visitor'>,
  price: number,
  isCached: boolean,
): number {
  return test || (isCached && visitor !== undefined) ? 0 : price;
}

/** Returns the maximum price of a request in credits. It is reserved before the request is sent to the source. */
export function maxPrice({ credits, renderables }: Endpoint, parameters: EndpointParameters): number {
  const { renderableFormats, renderableAudios } = parameters;
  const mayRender = renderableFormats !== undefined || renderableAudios !== undefined || renderables?.audio === true;
  return price(credits, isProxied(parameters) || mayRender);
}

/** Returns the price of a response, which depends on its contents. */
export function priceOf(
  { credits }: Endpoint,
  parameters: EndpointParameters,
  contents: readonly ExtractedContent[] = [],
): number {
  return price(credits, isProxied(parameters) || contents.some(hasRenderConfig));
}

/** Failures of the source that are free: there is no exit in the country, no time was left, or nothing could be read. */
const freeFailures: ReadonlySet<ErrorCode> = new Set([
  ...(['unsupported_proxy_for_geo_targeting', 'operation_timeout', 'invalid_response_data'] as const),
]);

/**
 * Returns the price of a failure: the usual price if the source failed, unless the endpoint charges only for success.
 * It is free if it says nothing about the content.
 */
export function priceOfFailure(endpoint: Endpoint, parameters: EndpointParameters, error: MillraceError): number {
  const { credits } = endpoint;
  if (typeof credits === 'object' && 'ifSuccessful' in credits) return 0;
  if (freeFailures.has(error.code)) return 0;
  return error.origin === 'source' ? priceOf(endpoint, parameters) : 0;
}

/** Returns the note that states the price. */
export function priceNote(credits: number): string {
  return `${routineNotes.price} ${credits} credit${credits === 1 ? '' : 's'}.`;
}

/** Whether media links point to the relay. */
export function isProxied({ urlAccess }: EndpointParameters): boolean {
  return urlAccess === 'proxied';
}

function hasRenderConfig({ renderableVideos = [], renderableAudios = [] }: ExtractedContent): boolean {
  return [...renderableVideos, ...renderableAudios].some(({ renderConfig }) => renderConfig !== undefined);
}

function price(credits: Endpoint['credits'], relayedOrRendered: boolean): number {
  if (typeof credits === 'number') return credits;
  if ('ifSuccessful' in credits) return credits.ifSuccessful;
  return relayedOrRendered ? credits.relayedOrRendered : credits.usual;
}
