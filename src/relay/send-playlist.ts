import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { playlistType } from '../contract/inert-media-types.ts';
import { isLinkRefusal } from '../contract/media-fetch.ts';
import { fileNameOf } from '../contract/media-types.ts';
import type { BufferedResponse } from '../egress/fetch-body.ts';
import { createVariables } from '../hls/variables.ts';
import { inertFileHeaders } from '../http/inert-headers.ts';
import { inBlocks, runInTurns, type Steps } from '../waiting/steps.ts';
import { linkIdOf } from './link-identity.ts';
import { fetchPlaylist, listPlaylist, rewriteLines } from './playlist-listing.ts';
import { memberOrders } from './playlist-members.ts';
import type { RelayOrder } from './relay-link.ts';
import { checkStatus } from './relayed-head.ts';
import { type MediaSource, openSourceLink } from './source-link.ts';

/** Number of lines that are encoded in one step. */
const LINES_PER_STEP = 256;

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
  const { order, response } = await fetchNewest(source, sealed, signal);
  const memberOrder = memberOrders(order, linkIdOf(sealed), await listPlaylist(response, order, signal));
  let index = 0;
  const nextLink = () => {
    const member = memberOrder(index);
    index += 1;
    if (member === undefined) throw new Error('the second reading of a playlist has more links than the first one');
    return link(member);
  };
  const lines = await rewriteLines(response, signal, nextLink, createVariables(response.url, order.variables));
  const parts = await runInTurns(encodeLines(lines), signal);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  // The response has `no-cache`, because a live playlist changes every few seconds.
  const name = fileNameOf(playlistType, order.url);
  return reply
    .headers({
      ...inertFileHeaders({ type: playlistType, name }),
      'cache-control': 'private, no-cache',
      'content-length': length,
    })
    .send(Readable.from(parts));
}

/** Encodes the lines of a playlist in parts: with relay links, the longest playlists have 25 MB. */
function* encodeLines(lines: readonly string[]): Steps<Buffer[]> {
  const parts: Buffer[] = [];
  yield* inBlocks(
    lines.length,
    (from, end) => parts.push(Buffer.from(`${from === 0 ? '' : '\n'}${lines.slice(from, end).join('\n')}`)),
    LINES_PER_STEP,
  );
  return parts;
}

/** Fetches a playlist through the newest link of an order. */
async function fetchNewest(
  source: MediaSource,
  sealed: RelayOrder,
  signal: AbortSignal,
): Promise<{ order: RelayOrder; response: BufferedResponse }> {
  const link = await openSourceLink(source, sealed, signal);
  for (;;) {
    const { order } = link;
    const response = await fetchPlaylist(source.exit, order, signal);
    // The arrival of a playlist is not reported, because it says nothing about the media that it lists.
    if (isLinkRefusal(response.status) && (await link.replace(response.status))) continue;
    checkStatus(response);
    return { order, response };
  }
}
