import { createHash } from 'node:crypto';
import { MillraceError } from '../contract/errors.ts';
import { isLinkRefusal } from '../contract/media-fetch.ts';
import { checkPlaylistType } from '../contract/media-types.ts';
import { withHeaders } from '../egress/credentials.ts';
import type { Egress } from '../egress/egress.ts';
import { type BufferedResponse, fetchBody } from '../egress/fetch-body.ts';
import { type LinkKind, rewritePlaylist } from '../hls/rewrite-playlist.ts';
import { createVariables, type PlaylistVariables, type Variables } from '../hls/variables.ts';
import { runInTurns } from '../waiting/steps.ts';
import { headersOf, type RelayOrder } from './relay-link.ts';
import { checkStatus } from './relayed-head.ts';

const MAX_BYTES = 4 * 1024 * 1024;
/** Maximum number of characters of variables in all links to listed playlists. Each contains all variables. */
const MAX_VARIABLES_IN_LINKS = 1024 * 1024;

/** What a playlist lists. */
export interface PlaylistListing {
  /** Its links in order, with absolute URLs. */
  readonly links: readonly { readonly url: string; readonly kind: LinkKind }[];
  /** Digest of the playlist without its links, which often contain tokens. */
  readonly digest: string;
  /** Whether it is a media playlist that does not end. */
  readonly isLive: boolean;
  /** Its variables, which the playlists that it lists may import. */
  readonly variables: PlaylistVariables;
}

/** Fetches a playlist. The status may be a refusal of the link. */
export function fetchPlaylist(egress: Egress, order: RelayOrder, signal: AbortSignal): Promise<BufferedResponse> {
  const headers = withHeaders(headersOf(order), { 'accept-encoding': 'gzip, deflate, br' });
  return fetchBody(egress, { url: order.url, headers, signal }, MAX_BYTES);
}

/** The status with which a source refused the link of a playlist. */
export class PlaylistRefused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the source of a playlist returned status ${status}`);
    this.status = status;
  }
}

/**
 * Fetches a playlist, and returns what it lists.
 *
 * @throws PlaylistRefused; MillraceError as {@link fetchBody}, {@link checkStatus} and {@link listPlaylist}.
 */
export async function fetchListing(egress: Egress, order: RelayOrder, signal: AbortSignal): Promise<PlaylistListing> {
  const response = await fetchPlaylist(egress, order, signal);
  if (isLinkRefusal(response.status)) throw new PlaylistRefused(response.status);
  checkStatus(response);
  return listPlaylist(response, order, signal);
}

/**
 * Returns what a playlist lists.
 *
 * @throws MillraceError `invalid_response_data` if it is not a valid playlist; the signal's reason.
 */
export async function listPlaylist(
  response: BufferedResponse,
  { variables: imported }: Pick<RelayOrder, 'variables'>,
  signal: AbortSignal,
): Promise<PlaylistListing> {
  checkPlaylistType(response.headers['content-type']);
  const links: { url: string; kind: LinkKind }[] = [];
  const variables = createVariables(response.url, imported);
  const link = (url: string, kind: LinkKind) => {
    links.push({ url, kind });
    return '';
  };
  const lines = await rewriteLines(response, signal, link, variables);
  const digest = createHash('sha256').update(lines.join('\n')).digest('base64url').slice(0, 22);
  const isLive = lines.some((line) => line.startsWith('#EXTINF:')) && !lines.includes('#EXT-X-ENDLIST');
  const playlists = links.filter(({ kind }) => kind === 'playlist').length;
  const variablesLength = Object.values(variables.values).join('').length;
  if (playlists * variablesLength > MAX_VARIABLES_IN_LINKS) {
    const message = `The source sent a playlist of ${playlists} others with variables of ${variablesLength} characters.`;
    throw new MillraceError('invalid_response_data', message);
  }
  return { links, digest, isLive, variables: variables.values };
}

/** Returns the lines of a playlist with other links, as {@link rewritePlaylist}. Sealing a link takes 30 microseconds. */
export async function rewriteLines(
  { body, url }: BufferedResponse,
  signal: AbortSignal,
  link: (url: string, kind: LinkKind) => string,
  variables: Variables,
): Promise<string[]> {
  return await runInTurns(rewritePlaylist(body.toString('utf8'), url, link, variables), signal);
}
