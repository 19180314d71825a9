import { createHash } from 'node:crypto';
import { callerOf } from '../accounts/owner.ts';
import { MillraceError } from '../contract/errors.ts';
import { isLinkRefusal } from '../contract/media-fetch.ts';
import { checkPlaylistType } from '../contract/media-types.ts';
import { withHeaders } from '../egress/credentials.ts';
import type { Egress } from '../egress/egress.ts';
import { type BufferedResponse, fetchBody, type HoldBytes } from '../egress/fetch-body.ts';
import { type LinkKind, rewritePlaylist } from '../hls/rewrite-playlist.ts';
import { createVariables, type PlaylistVariables } from '../hls/variables.ts';
import { runInTurns, type Steps } from '../waiting/steps.ts';
import { headersOf, type RelayOrder } from './relay-link.ts';
import { checkStatus } from './relayed-head.ts';

const MAX_BYTES = 4 * 1024 * 1024;
/** Maximum number of characters of variables in all links to listed playlists. Each contains all variables. */
const MAX_VARIABLES_IN_LINKS = 1024 * 1024;
const DIGEST_LENGTH = 22;

/** A link in a playlist, with an absolute URL. */
export interface PlaylistLink {
  readonly url: string;
  readonly kind: LinkKind;
}

/** What all members of a playlist share. */
export interface PlaylistOutline {
  /** Number of links to segments and other media, and to playlists. */
  readonly counts: Readonly<Record<LinkKind, number>>;
  /** Digest of the playlist without its links, which often contain tokens. */
  readonly digest: string;
  /** Whether it is a media playlist that does not end. */
  readonly isLive: boolean;
  /** Its variables, which the playlists that it lists may import. */
  readonly variables: PlaylistVariables;
}

/** What a playlist lists. */
export interface PlaylistListing extends PlaylistOutline {
  /** Its links in order. */
  readonly links: readonly PlaylistLink[];
}

/**
 * Fetches a playlist. The status may be a refusal of the link.
 *
 * @throws MillraceError as {@link fetchBody}.
 */
export function fetchPlaylist(
  egress: Egress,
  order: RelayOrder,
  signal: AbortSignal,
  hold?: HoldBytes,
): Promise<BufferedResponse> {
  const headers = withHeaders(headersOf(order), { 'accept-encoding': 'gzip, deflate, br' });
  const request = { url: order.url, caller: callerOf(order.owner), isRelay: true, headers, signal } as const;
  return fetchBody(egress, request, MAX_BYTES, hold);
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
 * @throws PlaylistRefused; MillraceError as {@link fetchBody}, {@link checkStatus} and {@link outlinePlaylist}.
 */
export async function fetchListing(egress: Egress, order: RelayOrder, signal: AbortSignal): Promise<PlaylistListing> {
  const response = await fetchPlaylist(egress, order, signal);
  if (isLinkRefusal(response.status)) throw new PlaylistRefused(response.status);
  checkStatus(response);
  const links: PlaylistLink[] = [];
  const outline = await outlinePlaylist(response, order, signal, (link) => links.push(link));
  return { ...outline, links };
}

/**
 * Reads a playlist, and returns what its members share.
 *
 * @param onLink Receives its links in order.
 * @throws MillraceError `invalid_response_data` if it is not a valid playlist; the signal's reason.
 */
export async function outlinePlaylist(
  response: BufferedResponse,
  { variables }: Pick<RelayOrder, 'variables'>,
  signal: AbortSignal,
  onLink: (link: PlaylistLink) => unknown = () => undefined,
): Promise<PlaylistOutline> {
  checkPlaylistType(response.headers['content-type']);
  return await runInTurns(outline(response, variables, onLink), signal);
}

function* outline(
  { body, url }: BufferedResponse,
  imported: PlaylistVariables | undefined,
  onLink: (link: PlaylistLink) => unknown,
): Steps<PlaylistOutline> {
  const variables = createVariables(url, imported);
  const counts = { media: 0, playlist: 0 };
  const note = (linkUrl: string, kind: LinkKind) => {
    counts[kind] += 1;
    onLink({ url: linkUrl, kind });
    return '';
  };
  const hash = createHash('sha256');
  let separator = '';
  let [hasSegments, hasEnd] = [false, false];
  for (const line of rewritePlaylist(body, url, note, variables)) {
    if (line !== undefined) {
      hash.update(separator + line);
      separator = '\n';
      hasSegments ||= line.startsWith('#EXTINF:');
      hasEnd ||= line === '#EXT-X-ENDLIST';
    }
    yield undefined;
  }
  const digest = hash.digest('base64url').slice(0, DIGEST_LENGTH);
  checkVariables(counts.playlist, variables.values);
  return { counts, digest, isLive: hasSegments && !hasEnd, variables: variables.values };
}

function checkVariables(playlists: number, variables: PlaylistVariables): void {
  const length = Object.values(variables).join('').length;
  if (playlists * length <= MAX_VARIABLES_IN_LINKS) return;
  const message = `The source sent a playlist of ${playlists} others with variables of ${length} characters.`;
  throw new MillraceError('invalid_response_data', message);
}
