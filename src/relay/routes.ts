import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Addresses } from '../contract/addresses.ts';
import { isPlaylistType } from '../contract/media-types.ts';
import { linkRoutes } from '../contract/render-api/routes.ts';
import type { Exits } from '../egress/exits.ts';
import { addRoute } from '../http/add-route.ts';
import { disconnectSignal } from '../http/disconnect-signal.ts';
import type { Sealer } from '../sealing/sealer.ts';
import type { ConnectionLimit } from './connection-limit.ts';
import { fetchMedia } from './fetch-media.ts';
import type { RelayMetrics } from './metrics-port.ts';
import { openRelayLink, type RelayOrder, relayLink } from './relay-link.ts';
import { sendPlaylist } from './send-playlist.ts';

/** Dependencies of the relay. */
export interface RelayServices {
  readonly exits: Exits;
  readonly sealer: Sealer;
  readonly addresses: () => Addresses;
  /** Limits the concurrent connections of an account. */
  readonly limit: ConnectionLimit;
  readonly metrics: RelayMetrics;
}

/** Adds the relay, which serves media links through the service. The sealed link is the credential. */
export function addRelayRoute(app: FastifyInstance, services: RelayServices): void {
  const { exits, sealer, addresses, limit, metrics } = services;
  addRoute(
    app,
    linkRoutes.relayMedia,
    async (request, reply) => {
      const order = openRelayLink(sealer, request.params.link);
      const exit = exits.byId(order.exit);
      const { socket } = request.raw;
      const sentBefore = socket.bytesWritten;
      const disconnected = disconnectSignal(reply);
      const release = await limit.acquire(order.owner);
      if (disconnected.aborted) {
        release();
        throw disconnected.reason;
      }
      const countClosed = metrics.relayConnection();
      reply.raw.once('close', () => {
        release();
        countClosed(socket.bytesWritten - sentBefore);
      });
      if (isPlaylistType(order.mediaType)) {
        const link = (part: RelayOrder) => relayLink(sealer, addresses().base, part);
        return await sendPlaylist(exit, reply, order, link, disconnected);
      }
      const mediaRequest = { order, range: rangeOf(request), body: request.method !== 'HEAD', signal: disconnected };
      const { status, headers, body } = await fetchMedia(exit, mediaRequest);
      return reply.code(status).headers(headers).send(body);
    },
    { compress: false },
  );
}

/** Returns the requested range. Several ranges and invalid ones are ignored (RFC 9110 §14.2). */
function rangeOf({ headers }: FastifyRequest): Record<string, string> {
  const { range, 'if-range': ifRange } = headers;
  if (range === undefined || !/^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/.test(range)) return {};
  return { range, ...(typeof ifRange === 'string' ? { 'if-range': ifRange } : {}) };
}
