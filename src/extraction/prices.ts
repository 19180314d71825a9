import type { ExtractedContent } from '../contract/envelope.ts';
import type { MillraceError } from '../contract/errors.ts';
import type { Endpoint, EndpointParameters } from '../platforms/platform.ts';

/** What a request can cost at most, in credits: as much is set aside before it begins. */
export function highestPrice({ credits, renderables }: Endpoint, parameters: EndpointParameters): number {
  const mayRender = parameters.renderableFormats !== undefined || renderables?.audio === true;
  return price(credits, isProxied(parameters) || mayRender);
}

/** What an answer costs, by what it holds. */
export function priceOf(
  { credits }: Endpoint,
  parameters: EndpointParameters,
  contents: readonly ExtractedContent[] = [],
): number {
  return price(credits, isProxied(parameters) || contents.some(hasRenderConfig));
}

/** What a failure costs: its price where the source is to blame, unless only success has one; else nothing. */
export function priceOfFailure(endpoint: Endpoint, parameters: EndpointParameters, error: MillraceError): number {
  const { credits } = endpoint;
  if (typeof credits === 'object' && 'ifSuccessful' in credits) return 0;
  // There is no exit in that country, so the source was asked nothing.
  if (error.code === 'unsupported_proxy_for_geo_targeting') return 0;
  return error.origin === 'source' ? priceOf(endpoint, parameters) : 0;
}

/** The note that tells the price. */
export function priceNote(credits: number): string {
  return `This request cost ${credits} credit${credits === 1 ? '' : 's'}.`;
}

/** Whether media links lead through the relay. */
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
