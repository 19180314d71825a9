import type { EndpointEntry, ParameterType } from '#client/endpoint-entry.ts';
import { endpoints } from '#client/endpoints.ts';
import type { ExtractionResponse, RecognisedLink } from '#client/index.ts';
import { client, freshClient } from '../common/client.ts';
import type { Query } from './query.ts';
import type { QueryResult } from './query-result.ts';

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
  if (link.missing !== undefined) {
    throw new Error(
      'This link does not contain the channel of the post, which the platform requires. Paste a link that contains it.',
    );
  }
  const result = await (fresh ? freshClient : client).extractLink(link, formatsFor(link, 'all_highres'), { signal });
  const id = result.metadata.channel?.channelId;
  if (link.endpoint !== 'channel/id-from-handle' || typeof id !== 'string') return { query, result };
  const channel: RecognisedLink = { platform: 'p1', endpoint: 'channel/details', parameters: { channelId: id } };
  return fetchResult({ ...query, link: channel }, { signal, fresh });
}

/** Requests a quality that is not part of the result. Throws the same errors as {@link fetchResult}. */
export async function fetchQuality(
  { link }: Query,
  label: string,
  { signal, fresh = false }: FetchOptions = {},
): Promise<ExtractionResponse> {
  // p5 labels a quality `hls-720`, but expects only its height.
  const formats = formatsFor(link, link.platform === 'p5' ? label.replace(/^hls-/, '') : label);
  return (fresh ? freshClient : client).extractLink(link, formats, { signal });
}

/** Whether a quality of a link's media can be requested by its name. */
export function canRequestQuality(link: RecognisedLink, label: string): boolean {
  const formats = acceptedFormats(link);
  return (
    typeof formats === 'object' && 'listOf' in formats && ('extensible' in formats || formats.listOf.includes(label))
  );
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

function acceptedFormats({ platform, endpoint }: RecognisedLink): ParameterType | undefined {
  const table: Readonly<Record<string, EndpointEntry>> = endpoints[platform];
  return table[endpoint]?.optional.renderableFormats;
}
