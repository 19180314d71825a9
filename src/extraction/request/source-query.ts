import { hash } from 'node:crypto';
import type { TObject } from 'typebox';
import { MillraceError } from '../../contract/errors.ts';
import { textParameters } from '../../contract/media-origin.ts';
import { explicitDefault, type ResponsePart } from '../../contract/parameters.ts';
import { appliedParameters } from '../../contract/render-parameters.ts';
import type { Endpoint, EndpointParameters, Pages } from '../../platforms/platform.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import { openPages } from './page-tokens.ts';
import { type IsRequested, requestedParts } from './requested-parts.ts';

/** A query to a source: everything that its result can depend on, and nothing about the caller. */
export interface SourceQuery {
  /** ID of the platform, such as `p1`. */
  readonly platform: string;
  readonly endpoint: Endpoint;
  /** In canonical form. Sealed links contain them, so they have nothing of a caller's text that the platform ignores. */
  readonly parameters: EndpointParameters;
  readonly pages: Pages;
  readonly isRequested: IsRequested;
  /** {@link itemOf} the parameters. */
  readonly item: string;
  /** Cache key: a hash, equal for all queries that share a result. */
  readonly key: string;
  /**
   * The only one of the endpoint's strategies to use. Only set by probes and to replace links, whose results are not
   * cached.
   */
  readonly strategy?: string;
  /** ID of the exit to use, regardless of `countryCode`. Only set to replace links, whose results are not cached. */
  readonly exit?: string;
  /** Client profiles to ask last, because their links were refused. Only set to replace links. */
  readonly failedProfiles?: readonly string[];
}

/** Parameters that do not change the source's result. */
const presentationParameters: readonly string[] = appliedParameters;

/**
 * Reduces a request to its source query.
 *
 * @param parameters As `readParameters` returns them.
 * @throws MillraceError `invalid_token` for a `nextToken` that does not belong to the request.
 */
export function sourceQueryOf(
  platform: string,
  endpoint: Endpoint,
  parameters: EndpointParameters,
  sealer: Sealer,
): SourceQuery {
  const name = `${platform}${endpoint.path}`;
  const queryParameters = canonicalParameters(endpoint, sourceParameters(endpoint.parameters, parameters));
  const pages = openPages(sealer, name, { ...queryParameters, nextToken: parameters.nextToken });
  const { optionalParts = [] } = endpoint;
  const isRequested = requestedParts(parameters.fields);
  const isNeeded = (part: ResponsePart) =>
    isRequested(part) || (part === 'metadata.additionalData' && embedsChapters(endpoint, parameters, isRequested));
  const skippedParts = optionalParts.filter((part) => !isNeeded(part));
  return {
    platform,
    endpoint,
    parameters: queryParameters,
    pages,
    item: itemOf(endpoint, queryParameters),
    isRequested: (part) => !skippedParts.includes(part),
    key: hash('sha256', JSON.stringify([name, queryParameters, pages.cursor ?? null, skippedParts]), 'base64url'),
  };
}

/**
 * Returns the parameters as the platform reads them: what identifies an item wherever requests about it are counted. A
 * caller can write a link in any number of ways.
 */
function itemOf({ subjects }: Endpoint, parameters: EndpointParameters): string {
  const entries = Object.entries(parameters)
    .filter(([name]) => !textParameters.includes(name))
    .map(([name, value]) => {
      const { items = [], channels = [] } = subjects({ [name]: value });
      if (items.length + channels.length > 0) return ['', ...(items.length > 0 ? items : channels)];
      return [name, typeof value === 'string' ? withoutQuery(value) : value];
    });
  return JSON.stringify(entries);
}

/** Returns a link that the platform does not read, such as a short one, without what can be appended to it. */
function withoutQuery(value: string): string {
  return /^(?:https?:)?\/\//i.test(value) ? value.replace(/[?#].*/s, '') : value;
}

/** Whether rendered files contain chapters, which platforms return with the additional data. */
function embedsChapters(
  { renderables }: Endpoint,
  { renderableFormats, renderableAudios, embed }: EndpointParameters,
  isRequested: IsRequested,
): boolean {
  if (renderables === undefined || !(embed === undefined || embed.includes('chapters'))) return false;
  const rendersVideo = renderableFormats !== undefined && isRequested('contents.renderableVideos');
  return rendersVideo || (renderableAudios !== undefined && isRequested('contents.renderableAudios'));
}

/** Returns the parameters with their links in canonical form. Those that the endpoint refuses remain for its error. */
function canonicalParameters(endpoint: Endpoint, parameters: EndpointParameters): EndpointParameters {
  try {
    return { ...parameters, ...endpoint.canonical?.(parameters) };
  } catch (error) {
    if (error instanceof MillraceError) return parameters;
    throw error;
  }
}

/** Returns the parameters of the source query in canonical form: sorted by name, lists sorted, defaults omitted. */
function sourceParameters({ properties }: TObject, parameters: EndpointParameters): EndpointParameters {
  const entries = Object.entries(parameters).filter(([name, value]) => {
    const schema = properties[name];
    const isDefault =
      schema !== undefined && 'default' in schema && schema.default === value && !(explicitDefault in schema);
    return !isDefault && !presentationParameters.includes(name) && name !== 'nextToken';
  });
  const sortedEntries = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    sortedEntries.map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value]),
  );
}
