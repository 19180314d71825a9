import { setImmediate } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { opaqueType, playlistType } from '../contract/inert-media-types.ts';
import { isLinkRefusal } from '../contract/media-fetch.ts';
import { checkPlaylistType, fileNameOf } from '../contract/media-types.ts';
import { withHeaders } from '../egress/credentials.ts';
import { type BufferedResponse, fetchBody } from '../egress/fetch-body.ts';
import { rewritePlaylist } from '../hls/rewrite-playlist.ts';
import { inertFileHeaders } from '../http/inert-headers.ts';
import { headersOf, memberOrder, type RelayOrder } from './relay-link.ts';
import { checkStatus } from './relayed-head.ts';
import { type MediaSource, openSourceLink } from './source-link.ts';

const MAX_BYTES = 4 * 1024 * 1024;
/** Lines that are rewritten before yielding to the event loop. Sealing a link takes about 30 microseconds. */
const LINES_PER_TURN = 200;

/**
 * Sends an HLS playlist with relay links, always complete, regardless of the requested range. If the playlist's link no
 * longer works, it is replaced, and the playlist has the members of the new link.
 *
 * @param link Creates the relay link of an order.
 * @throws MillraceError
 */
export async function sendPlaylist(
  source: MediaSource,
  reply: FastifyReply,
  sealed: RelayOrder,
  link: (order: RelayOrder) => string,
  signal: AbortSignal,
): Promise<FastifyReply> {
  const { order, response } = await fetchPlaylist(source, sealed, signal);
  checkPlaylistType(response.headers['content-type']);
  const lines: string[] = [];
  const toRelayLink = (url: string, kind: 'playlist' | 'media') =>
    link(memberOrder(order, url, kind === 'playlist' ? playlistType : opaqueType));
  for (const line of rewritePlaylist(response.body.toString('utf8'), response.url, toRelayLink)) {
    lines.push(line);
    if (lines.length % LINES_PER_TURN !== 0) continue;
    await setImmediate();
    signal.throwIfAborted();
  }
  // The response has `no-cache`, because a live playlist changes every few seconds.
  const name = fileNameOf(playlistType, order.url);
  return reply
    .headers({ ...inertFileHeaders({ type: playlistType, name }), 'cache-control': 'private, no-cache' })
    .send(lines.join('\n'));
}

async function fetchPlaylist(
  source: MediaSource,
  sealed: RelayOrder,
  signal: AbortSignal,
): Promise<{ order: RelayOrder; response: BufferedResponse }> {
  const link = await openSourceLink(source, sealed, signal);
  for (;;) {
    const { order } = link;
    const headers = withHeaders(headersOf(order), { 'accept-encoding': 'gzip, deflate, br' });
    const response = await fetchBody(source.exit, { url: order.url, headers, signal }, MAX_BYTES);
    // The arrival of a playlist is not reported, because it says nothing about the media that it lists.
    if (isLinkRefusal(response.status) && (await link.replace(response.status))) continue;
    checkStatus(response);
    return { order, response };
  }
}
