import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { playlistType } from '../contract/inert-media-types.ts';
import { isLinkRefusal } from '../contract/media-fetch.ts';
import { fileNameOf } from '../contract/media-types.ts';
import type { BufferedResponse, HoldBytes } from '../egress/fetch-body.ts';
import { type LinkKind, rewritePlaylist } from '../hls/rewrite-playlist.ts';
import { createVariables } from '../hls/variables.ts';
import { holdForDownload } from '../http/connections/download-memory.ts';
import { inertFileHeaders } from '../http/inert-headers.ts';
import { nextSlice } from '../waiting/steps.ts';
import { linkIdOf } from './link-identity.ts';
import { fetchPlaylist, outlinePlaylist } from './playlist-listing.ts';
import { memberOrders } from './playlist-members.ts';
import type { RelayOrder } from './relay-link.ts';
import { checkStatus } from './relayed-head.ts';
import { type MediaSource, openSourceLink } from './source-link.ts';

/** Memory that a byte of a playlist takes: itself, and what its reading leaves to the garbage collector. */
const BYTES_PER_BYTE = 2;
/** Size of the parts in which a playlist is sent. */
const PART_BYTES = 64 * 1024;

/**
 * Sends an HLS playlist with relay links, always complete, regardless of the requested range. If the playlist's link no
 * longer works, it is replaced, and the playlist has the members of the new link.
 *
 * With relay links, the longest playlists have 25 MB or more. So a playlist that is larger than one part is written
 * while the caller reads it. Until then, the request only holds the response of the source.
 *
 * @param link Creates the relay link of an order.
 * @throws MillraceError; that the budget of the client's memory does not allow the playlist, among others.
 */
export async function sendPlaylist(
  source: MediaSource,
  reply: FastifyReply,
  sealed: RelayOrder,
  link: (order: RelayOrder) => string,
  signal: AbortSignal,
): Promise<FastifyReply> {
  const { memory } = reply.request;
  const hold = (bytes: number) => holdForDownload(memory, BYTES_PER_BYTE * bytes + PART_BYTES);
  const { order, response } = await fetchNewest(source, sealed, signal, hold);
  const memberOrder = memberOrders(order, linkIdOf(sealed), await outlinePlaylist(response, order, signal));
  let index = 0;
  const nextLink = (url: string, kind: LinkKind) => {
    const member = memberOrder(index, { url, kind });
    index += 1;
    return link(member);
  };
  const variables = createVariables(response.url, order.variables);
  const parts = inParts(rewritePlaylist(response.body, response.url, nextLink, variables), signal);
  const body = await bodyOf(parts);
  // The response has `no-cache`, because a live playlist changes every few seconds.
  const name = fileNameOf(playlistType, order.url);
  return reply
    .headers({ ...inertFileHeaders({ type: playlistType, name }), 'cache-control': 'private, no-cache' })
    .send(body);
}

/** Yields lines, joined and encoded in parts. */
async function* inParts(lines: Iterable<string | undefined>, signal: AbortSignal): AsyncGenerator<Buffer, undefined> {
  let isOver = await nextSlice(signal);
  let part = '';
  let separator = '';
  for (const line of lines) {
    if (line !== undefined) part += separator + line;
    separator = '\n';
    if (part.length >= PART_BYTES) {
      yield Buffer.from(part);
      part = '';
      isOver = await nextSlice(signal);
    } else if (isOver()) {
      isOver = await nextSlice(signal);
    }
  }
  if (part !== '') yield Buffer.from(part);
}

/** Returns a body whose length is known if it has one part, so that most errors precede the response. */
async function bodyOf(parts: AsyncGenerator<Buffer, undefined>): Promise<Buffer | Readable> {
  const { value: first } = await parts.next();
  const { value: second } = await parts.next();
  if (first === undefined || second === undefined) return first ?? Buffer.alloc(0);
  async function* all() {
    yield first;
    yield second;
    yield* parts;
  }
  return Readable.from(all());
}

/** Fetches a playlist through the newest link of an order. */
async function fetchNewest(
  source: MediaSource,
  sealed: RelayOrder,
  signal: AbortSignal,
  hold: HoldBytes,
): Promise<{ order: RelayOrder; response: BufferedResponse }> {
  const link = await openSourceLink(source, sealed, signal);
  for (;;) {
    const { order } = link;
    const response = await fetchPlaylist(source.exit, order, signal, hold);
    // The arrival of a playlist is not reported, because it says nothing about the media that it lists.
    if (isLinkRefusal(response.status) && (await link.replace(response.status))) continue;
    checkStatus(response);
    return { order, response };
  }
}
