import { LRUCache } from 'lru-cache';
import { isItemRefusal, type MillraceError } from '../contract/errors.ts';
import { type LinkOrigin, validityOf } from '../contract/media-origin.ts';
import { isPlaylistType } from '../contract/media-types.ts';
import type { FreshLink } from '../link-healing/fresh-links.ts';
import type { LinkHealer } from '../link-healing/link-healer.ts';
import { createInFlight } from '../waiting/in-flight.ts';
import { subjectOf } from './link-identity.ts';
import type { RelayOrder } from './relay-link.ts';

/** Links whose replacements are remembered. A replacement takes about 2 kB, and at most 8 kB. */
const MAX_LINKS = 1_000;
/**
 * Timeout for a new link, longer than the healer's own, which counts as a timeout and not as cancelled. The search
 * continues if the caller disconnects, because a player soon sends a new request.
 */
const TIMEOUT_MS = 40_000;
/** How long the platform is not asked again after it has refused an item for good. */
const REFUSAL_MS = 10 * 60_000;

/** A relay link whose source link can be replaced, as it was sealed. */
export interface ReplaceableLink {
  readonly id: string;
  readonly origin: LinkOrigin;
  /** The members of its order that do not change. */
  readonly order: Omit<RelayOrder, 'url' | 'headers' | 'bound' | 'origin' | 'place' | 'replacedAt'>;
}

/** A source link that no longer works. */
export interface FailedSource {
  /** Time at which it replaced the sealed one; 0 if it is the sealed one. */
  readonly version: number;
  /** The client profile that returned it. */
  readonly profile: string | undefined;
  /** ID of the exit that it was fetched through. */
  readonly exit: string;
  /** Whether the site refused the link before its expiry, so that another client profile should be tried. */
  readonly refused: boolean;
}

/** The replacements of source links, so that many requests of a player share them. */
export interface LinkReplacements {
  /** Returns the newest replacement of a link; undefined if it was never replaced. */
  newest(id: string): RelayOrder | undefined;
  /**
   * Returns a newer link than the failed one; undefined if no link was found. Concurrent calls for a link share one
   * search.
   *
   * @throws MillraceError if the platform no longer offers the item; the signal's reason.
   */
  replace(link: ReplaceableLink, failed: FailedSource, signal: AbortSignal): Promise<RelayOrder | undefined>;
}

/** A remembered replacement. */
interface Replacement {
  readonly order: RelayOrder;
  /** Client profiles whose links were refused. */
  readonly failedProfiles: readonly string[];
}

/** Remembers the replacements that a healer finds. Without a healer, no link is replaced. */
export function createLinkReplacements(healer: LinkHealer | undefined): LinkReplacements {
  const replacements = new LRUCache<string, Replacement>({ max: MAX_LINKS });
  const refusals = new LRUCache<string, MillraceError>({ max: MAX_LINKS, ttl: REFUSAL_MS });
  const joinSearch = createInFlight<RelayOrder | undefined>();

  async function search(link: ReplaceableLink, failed: FailedSource) {
    const { id, origin, order } = link;
    const { profile, exit, refused } = failed;
    const { failedProfiles: before = [] } = replacements.get(id) ?? {};
    const failedProfiles = refused && profile !== undefined ? [...new Set([...before, profile])] : before;
    try {
      const item = { ...origin, ...(profile === undefined ? {} : { profile }) };
      const query = { item, representations: [origin.representation], exit, failedProfiles };
      const counted = { subject: subjectOf(order.owner, origin), owner: order.owner, input: 0 };
      const fresh = await healer?.heal({ ...query, ...counted }, AbortSignal.timeout(TIMEOUT_MS));
      const freshLink = fresh?.links[0];
      if (freshLink === undefined || !isUsable(freshLink, order.mediaType)) return undefined;
      const replacedAt = Math.max(Date.now(), failed.version + 1);
      const replaced = { ...orderWith(link, freshLink, fresh?.profile), replacedAt };
      // Relay links live for hours, so their remaining life bounds how long a replacement is kept.
      const ttl = Math.max(1, order.expiresAt - Date.now());
      replacements.set(id, { order: replaced, failedProfiles }, { ttl });
      return replaced;
    } catch (error) {
      // Any other error means that the platform could not be asked, which the healer logs. The failure of the old link
      // then says more.
      if (!isItemRefusal(error)) return undefined;
      // A sign-in wall that the platform shows only at times is not remembered.
      if (!error.retryable) refusals.set(id, error);
      throw error;
    }
  }

  const newest = (id: string) => replacements.get(id)?.order;
  return {
    newest,
    async replace(link, failed, signal) {
      if (healer === undefined) return undefined;
      const { id } = link;
      const refusal = refusals.get(id);
      if (refusal !== undefined) throw refusal;
      // Another request may have replaced the link in the meantime.
      const known = newest(id);
      if (known !== undefined && isNewer(known, failed.version)) return known;
      return joinSearch(id, () => search(link, failed), signal);
    },
  };
}

/** Whether the link of an order replaced another one later than a version did. */
export function isNewer({ replacedAt = 0 }: RelayOrder, version: number): boolean {
  return replacedAt > version;
}

/** Whether a link is not expired, and leads to the same kind of content. */
function isUsable({ ext, expiresAt = Number.POSITIVE_INFINITY }: FreshLink, mediaType: string): boolean {
  return (ext === 'm3u8') === isPlaylistType(mediaType) && expiresAt > Date.now();
}

/** Returns the order with another link. Its headers replace the old ones, so no cookie goes to another host. */
function orderWith(
  { order, origin: { profile: _profile, representation, ...item } }: ReplaceableLink,
  { url, headers, expiresAt }: FreshLink,
  profile: string | undefined,
): RelayOrder {
  const { repId, kind } = representation;
  return {
    ...order,
    url,
    headers,
    origin: {
      ...item,
      ...(profile === undefined ? {} : { profile }),
      representation: { repId, kind, ...validityOf(expiresAt) },
    },
  };
}
