import { setImmediate } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { opaqueType, playlistType } from '../contract/inert-media-types.ts';
import { checkPlaylistType, fileNameOf } from '../contract/media-types.ts';
import { withHeaders } from '../egress/credentials.ts';
import type { Egress } from '../egress/egress.ts';
import { fetchBody } from '../egress/fetch-body.ts';
import { rewritePlaylist } from '../hls/rewrite-playlist.ts';
import { inertFileHeaders } from '../http/inert-headers.ts';
import { headersOf, memberOrder, type RelayOrder } from './relay-link.ts';
import { checkStatus } from './relayed-head.ts';

const MAX_BYTES = 4 * 1024 * 1024;
/** Lines that are rewritten before yielding to the event loop. Sealing a link takes about 30 microseconds. */
const LINES_PER_TURN = 200;

/**
 * Sends an HLS playlist with relay links, always complete, regardless of the requested range.
 *
 * @param link Creates the relay link of an order.
 * @throws MillraceError
 */
export async function sendPlaylist(
  egress: Egress,
  reply: FastifyReply,
  order: RelayOrder,
  link: (order: RelayOrder) => string,
  signal: AbortSignal,
): Promise<FastifyReply> {
  const headers = withHeaders(headersOf(order), { 'accept-encoding': 'gzip, deflate, br' });
  const response = await fetchBody(egress, { url: order.url, headers, signal }, MAX_BYTES);
  checkStatus(response);
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
