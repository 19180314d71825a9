import type { EndpointEntry, ParameterType } from '#client/endpoint-entry.ts';
import { endpoints } from '#client/endpoints.ts';
import type { ExtractionResponse, RecognisedLink } from '#client/index.ts';
import { client, freshClient } from '../common/client.ts';
import { PageError } from '../problems/error-text.ts';
import type { Query } from './query.ts';
import type { QueryResult } from './query-result.ts';
import type { WantedFile } from './wanted-file.ts';

/** Options of a request. */
export interface FetchOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether the service must not use a cached result, because its links may no longer work. */
  readonly fresh?: boolean;
}

/**
 * Fetches the result of a query, with every quality that the page may offer. For a channel handle, it fetches the
 * channel's ID first, then the result.
 *
 * @throws MillraceApiError, MillraceNetworkError.
 */
export async function fetchResult(query: Query, { signal, fresh = false }: FetchOptions = {}): Promise<QueryResult> {
  const { link } = query;
  if (link.missing !== undefined) throw new PageError('missingChannel');
  const parameters = { ...formatsFor(link, 'all_highres'), ...countryParameter(query) };
  const result = await (fresh ? freshClient : client).extractLink(link, parameters, { signal });
  const id = result.metadata.channel?.channelId;
  if (link.endpoint !== 'channel/id-from-handle' || typeof id !== 'string') return { query, result };
  const channel: RecognisedLink = { platform: 'p1', endpoint: 'channel/details', parameters: { channelId: id } };
  return fetchResult({ ...query, link: channel }, { signal, fresh });
}

/**
 * Requests a file that is not part of the result: another quality, an audio format, or one with further parameters.
 * Throws the same errors as {@link fetchResult}.
 */
export async function fetchFile(
  query: Query,
  { kind, label, parameters }: WantedFile,
  { signal, fresh = false }: FetchOptions = {},
): Promise<ExtractionResponse> {
  const { link } = query;
  const formats = kind === 'audio' ? { renderableAudios: [label] } : { renderableFormats: [formatNamed(link, label)] };
  const all = { ...formats, ...countryParameter(query), ...parameters };
  return (fresh ? freshClient : client).extractLink(link, all, { signal });
}

/** Returns the name of a quality in requests. */
function formatNamed(link: RecognisedLink, label: string): string {
  // p5 labels a quality `hls-720`, but expects only its height.
  if (link.platform === 'p5') return label.replace(/^hls-/, '');
  // The complete files of some platforms have names that cannot be requested. The largest one is meant.
  return canRequestQuality(link, label) ? label : 'highres';
}

/** Whether a quality of a link's media can be requested by its name. */
export function canRequestQuality(link: RecognisedLink, label: string): boolean {
  const formats = acceptedFormats(link);
  return (
    typeof formats === 'object' && 'listOf' in formats && ('extensible' in formats || formats.listOf.includes(label))
  );
}

/** Whether a link can be requested from a certain country. */
export function acceptsCountry(link: RecognisedLink): boolean {
  return 'countryCode' in (endpointOf(link)?.optional ?? {});
}

function countryParameter({ link, country }: Query): { countryCode?: string } {
  return country !== undefined && acceptsCountry(link) ? { countryCode: country } : {};
}

/** Platforms whose qualities cannot be requested by their height offer complete files, which need no render. */
function formatsFor(link: RecognisedLink, format: string): { renderableFormats?: readonly string[] } {
  const formats = acceptedFormats(link);
  const hasQualities =
    typeof formats === 'object' &&
    'listOf' in formats &&
    ('extensible' in formats || formats.listOf.some((name) => /^\d/.test(name)));
  return hasQualities ? { renderableFormats: [format] } : {};
}

function acceptedFormats(link: RecognisedLink): ParameterType | undefined {
  return endpointOf(link)?.optional.renderableFormats;
}

function endpointOf({ platform, endpoint }: RecognisedLink): EndpointEntry | undefined {
  const table: Readonly<Record<string, EndpointEntry>> = endpoints[platform];
  return table[endpoint];
}
