import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type DisabledAccounts, refuseIfDisabled } from '../accounts/disabled-accounts.ts';
import type { BlockIndex } from '../blocks/block-index.ts';
import type { Addresses } from '../contract/addresses.ts';
import type { ReportMediaFetch } from '../contract/media-fetch.ts';
import { isPlaylistType } from '../contract/media-types.ts';
import { linkRoutes } from '../contract/render-api/routes.ts';
import { mapWorlds, type Worlds, worldFor } from '../contract/worlds.ts';
import type { Exits } from '../egress/exits.ts';
import { addRoute } from '../http/add-route.ts';
import { disconnectSignal } from '../http/disconnect-signal.ts';
import type { LinkHealer } from '../link-healing/link-healer.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { isTestLink, type Sealers } from '../sealing/sealers.ts';
import type { ConnectionLimit } from './connection-limit.ts';
import { fetchMedia } from './fetch-media.ts';
import { createLinkReplacements } from './link-replacements.ts';
import { createLinkUses } from './link-uses.ts';
import { createMemberReplacements } from './member-replacements.ts';
import type { RelayMetrics } from './metrics-port.ts';
import { memberLink, openRelayLink, type RelayOrder } from './relay-link.ts';
import { sendPlaylist } from './send-playlist.ts';

/** What the relay links of one world use. */
export interface RelayWorld {
  readonly exits: Exits;
  readonly sealer: Sealer;
  readonly metrics: RelayMetrics;
  /** Replaces media links that no longer work. Absent: they are not replaced. */
  readonly healer?: LinkHealer | undefined;
  /** Receives the outcome of each fetch of media. */
  readonly reportMediaFetch?: ReportMediaFetch | undefined;
}

/** Dependencies of the relay. */
export interface RelayServices {
  readonly sealers: Sealers;
  readonly worlds: Worlds<RelayWorld>;
  readonly addresses: () => Addresses;
  /** Limits the concurrent connections of an account. */
  readonly limit: ConnectionLimit;
  readonly blocks: BlockIndex;
  readonly keys: DisabledAccounts;
}

/** Adds the relay, which serves media links through the service. The sealed link is the credential. */
export function addRelayRoute(app: FastifyInstance, services: RelayServices): void {
  const { sealers, addresses, limit, blocks, keys } = services;
  const worlds = mapWorlds(services.worlds, (world) => {
    const links = createLinkReplacements(world.healer);
    const shared = { links, members: createMemberReplacements(links), uses: createLinkUses(world.reportMediaFetch) };
    return { ...world, shared };
  });
  addRoute(
    app,
    linkRoutes.relayMedia,
    async (request, reply) => {
      const { link: text } = request.params;
      const { exits, sealer, metrics, shared } = worldFor(worlds, isTestLink(sealers, 'relay-link', text));
      const order = openRelayLink(sealer, text);
      refuseIfDisabled(keys, order.owner);
      refuseBlocked(order, blocks);
      const source = { exit: exits.byId(order.exit), ...shared };
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
        const link = (part: RelayOrder) => memberLink(sealer, addresses().base, part);
        return await sendPlaylist(source, reply, order, link, disconnected);
      }
      const mediaRequest = { order, range: rangeOf(request), body: request.method !== 'HEAD', signal: disconnected };
      const { status, headers, body } = await fetchMedia(source, mediaRequest);
      return reply.code(status).headers(headers).send(body);
    },
    { compress: false, isDownload: true },
  );
}

/** @throws MillraceError `blocked` if the operator has blocked the item of a link. The address guard refuses hosts. */
function refuseBlocked({ origin, place, subjects = [] }: RelayOrder, blocks: BlockIndex): void {
  const item = origin ?? place?.origin;
  const refusal = item === undefined ? blocks.refusalOf(subjects) : blocks.refusalOfOrigin(item);
  if (refusal !== undefined) throw refusal;
}

/** An entity tag of usual characters, or a date. */
const condition = /^(?:"[\w.:;,/+=~-]{1,200}"|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT)$/;

/**
 * Returns the requested range. Several ranges and invalid ones are ignored (RFC 9110 §14.2), and so is a range with an
 * unusual condition. A firewall of the source could refuse it, which would count against the client profile of the link.
 */
function rangeOf({ headers }: FastifyRequest): Record<string, string> {
  const { range, 'if-range': ifRange } = headers;
  if (range === undefined || !/^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/.test(range)) return {};
  if (ifRange === undefined) return { range };
  return typeof ifRange === 'string' && condition.test(ifRange) ? { range, 'if-range': ifRange } : {};
}
