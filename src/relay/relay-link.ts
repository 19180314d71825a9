import { maxUrlLength } from '../contract/addresses.ts';
import { MillraceError } from '../contract/errors.ts';
import type { ItemOrigin, LinkOrigin } from '../contract/media-origin.ts';
import { fileNameOf } from '../contract/media-types.ts';
import { linkPaths, pathOf } from '../contract/render-api/paths.ts';
import { type BoundHeaders, bindHeaders } from '../egress/credentials.ts';
import type { PlaylistVariables } from '../hls/variables.ts';
import type { Sealer } from '../sealing/sealer.ts';
import type { MemberPlace } from './member-place.ts';

/** The sealed content of a relay link: everything needed to fetch one file for one account. Nothing is stored. */
export interface RelayOrder {
  readonly url: string;
  /** Headers that the CDN requires. Version 0.1.0 sends all of them to `url`, and has no `bound`. */
  readonly headers: Readonly<Record<string, string>>;
  /** For a playlist member on another origin: all headers, with their origin. Default: `headers` and `url`. */
  readonly bound?: BoundHeaders;
  /** The exit that the extraction used. */
  readonly exit: string;
  /** Media type without parameters. The links in an HLS playlist are replaced by relay links as well. */
  readonly mediaType: string;
  /**
   * Where `url` came from. Absent if it cannot be replaced, because it is an image or a link with it would be too long.
   * Playlist members have a place instead.
   */
  readonly origin?: LinkOrigin;
  /** What blocks are compared with. Absent if the origin or the place states it, and in links of former versions. */
  readonly subjects?: readonly string[];
  /** Time at which `url` replaced the sealed one, in milliseconds since 1970. Absent for the sealed one. */
  readonly replacedAt?: number;
  /** For a playlist member: where it was listed. */
  readonly place?: MemberPlace;
  /** For a playlist: the variables of its master playlist. */
  readonly variables?: PlaylistVariables;
  /** The account for which the link was created, or its visitor. */
  readonly owner: string;
  /** File name without its extension; absent if the caller names the file. */
  readonly title?: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Returns the request headers of an order, bound to their origin. */
export function headersOf({ url, headers, bound }: RelayOrder): BoundHeaders {
  return bound ?? bindHeaders(url, headers);
}

/**
 * Seals an order into a link below the extraction API's base URL. The file name at its end is only for players.
 *
 * @throws MillraceError `invalid_response_data` if the link exceeds the maximum URL length.
 */
export function relayLink(sealer: Sealer, base: string, order: RelayOrder): string {
  const link = relayLinkIfShort(sealer, base, order);
  if (link !== undefined) return link;
  throw new MillraceError('invalid_response_data', "The source's link is too long to be relayed.");
}

/**
 * Seals the order of a playlist member. If its link would be too long, it does not say where the member was listed, but
 * still what it belongs to.
 *
 * @throws MillraceError as {@link relayLink}.
 */
export function memberLink(sealer: Sealer, base: string, member: RelayOrder): string {
  const { place, ...rest } = member;
  const shorter = { ...rest, ...subjectsIn(place?.origin) };
  return relayLinkIfShort(sealer, base, member) ?? relayLink(sealer, base, shorter);
}

/** Returns the subjects of an origin, for a link that does not contain the origin. */
export function subjectsIn(origin: Pick<ItemOrigin, 'subjects'> | undefined): Pick<RelayOrder, 'subjects'> {
  return origin?.subjects === undefined ? {} : { subjects: origin.subjects };
}

/** Seals an order like {@link relayLink}; returns undefined if the link exceeds the maximum URL length. */
export function relayLinkIfShort(sealer: Sealer, base: string, order: RelayOrder): string | undefined {
  const name = fileNameOf(order.mediaType, order.url);
  const link = base + pathOf(linkPaths.relayMedia, { link: sealer.seal('relay-link', order), name });
  return link.length <= maxUrlLength ? link : undefined;
}

/**
 * Opens the sealed part of a relay link.
 *
 * @throws MillraceError `invalid_url` (403) if it is forged or altered, `token_expired` (410).
 */
export function openRelayLink(sealer: Sealer, sealedOrder: string, now: number = Date.now()): RelayOrder {
  const content = sealer.open('relay-link', sealedOrder);
  if (content === undefined) {
    throw new MillraceError('invalid_url', 'This link is not valid or was modified. Request a fresh one.', {
      status: 403,
    });
  }
  // Only relayLink() seals for this purpose.
  const order = content as RelayOrder;
  if (order.expiresAt > now) return order;
  throw new MillraceError('token_expired', 'This link has expired. Request a fresh one.');
}
