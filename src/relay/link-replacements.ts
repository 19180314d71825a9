import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isItemRefusal, type MillraceError } from '../contract/errors.ts';
import { itemKeyOf, type LinkOrigin, validityOf } from '../contract/media-origin.ts';
import { isPlaylistType } from '../contract/media-types.ts';
import type { FreshLink } from '../link-healing/fresh-links.ts';
import type { LinkHealer } from '../link-healing/link-healer.ts';
import { untilAborted } from '../waiting/until-aborted.ts';
import type { RelayOrder } from './relay-link.ts';

/** Links whose replacements are remembered. A replacement takes about 2 kB, and at most 8 kB. */
const MAX_LINKS = 1_000;
/** Timeout for a new link. The search continues if the caller disconnects, because a player soon sends a new request. */
const TIMEOUT_MS = 30_000;
/** How long the platform is not asked again after it has refused an item for good. */
const REFUSAL_MS = 10 * 60_000;

/** A link that no longer works. */
export interface FailedLink {
  /** The order as it was sealed. */
  readonly sealed: RelayOrder;
  /** The order with the link that failed: the sealed one, or a replacement of it. */
  readonly failed: RelayOrder;
  /** ID of the exit that the link was fetched through. */
  readonly exit: string;
  /** Whether the site refused the link before its expiry, so that another client profile should be tried. */
  readonly refused: boolean;
}

/** The replacements of relayed links, so that many requests of a player share them. */
export interface LinkReplacements {
  /** Returns the order with the newest link that is known for it. */
  current(sealed: RelayOrder): RelayOrder;
  /**
   * Returns the order with a newer link than the failed one; undefined if no link was found. Concurrent calls for a link
   * share one search.
   *
   * @throws MillraceError if the platform no longer offers the item; the signal's reason.
   */
  replace(link: FailedLink, signal: AbortSignal): Promise<RelayOrder | undefined>;
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
  const searches = new Map<string, Promise<RelayOrder | undefined>>();

  async function search(key: string, origin: LinkOrigin, { sealed, failed, exit, refused }: FailedLink) {
    const { failedProfiles: before = [] } = replacements.get(key) ?? {};
    const { profile, representation } = failed.origin ?? origin;
    const failedProfiles = refused && profile !== undefined ? [...new Set([...before, profile])] : before;
    try {
      const item = { ...origin, ...(profile === undefined ? {} : { profile }) };
      const query = { item, representations: [representation], exit, failedProfiles };
      const counted = { subject: subjectOf(sealed.owner, origin), owner: sealed.owner, input: 0 };
      const fresh = await healer?.heal({ ...query, ...counted }, AbortSignal.timeout(TIMEOUT_MS));
      const link = fresh?.links[0];
      if (link === undefined || !isUsable(link, sealed)) return undefined;
      const order = withLink(sealed, origin, link, fresh?.profile);
      // Relay links live for hours, so their remaining life bounds how long a replacement is kept.
      replacements.set(key, { order, failedProfiles }, { ttl: Math.max(1, sealed.expiresAt - Date.now()) });
      return order;
    } catch (error) {
      // Any other error means that the platform could not be asked. The failure of the old link then says more.
      if (!isItemRefusal(error)) return undefined;
      // A sign-in wall that the platform shows only at times is not remembered.
      if (!error.retryable) refusals.set(key, error);
      throw error;
    }
  }

  return {
    current: (sealed) => (sealed.origin === undefined ? sealed : (replacements.get(keyOf(sealed))?.order ?? sealed)),
    async replace(link, signal) {
      const { sealed, failed } = link;
      const { origin } = sealed;
      if (healer === undefined || origin === undefined) return undefined;
      const key = keyOf(sealed);
      const refusal = refusals.get(key);
      if (refusal !== undefined) throw refusal;
      // Another request may have replaced the link in the meantime. Each replacement is one object, so identity tells.
      const newest = replacements.get(key)?.order;
      if (newest !== undefined && newest !== failed) return newest;
      const running = searches.get(key);
      if (running !== undefined) return untilAborted(running, signal);
      const started = search(key, origin, link).finally(() => searches.delete(key));
      searches.set(key, started);
      return untilAborted(started, signal);
    },
  };
}

/** Returns the ID under which the replacements of a link are counted. A repeated extraction does not change it. */
function subjectOf(owner: string, origin: LinkOrigin): string {
  const { content, representation } = origin;
  return hash([owner, itemKeyOf(origin), content, representation.kind, representation.repId]);
}

/** Returns the key of a sealed link. Links of a later extraction have their own replacements. */
function keyOf({ owner, exit, url }: RelayOrder): string {
  return hash([owner, exit, url]);
}

function hash(parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/** Whether a link is not expired, and leads to the same kind of content. */
function isUsable({ ext, expiresAt = Number.POSITIVE_INFINITY }: FreshLink, { mediaType }: RelayOrder): boolean {
  return (ext === 'm3u8') === isPlaylistType(mediaType) && expiresAt > Date.now();
}

/** Returns the order with another link. Its headers replace the old ones, so no cookie goes to another host. */
function withLink(
  sealed: RelayOrder,
  { profile: _profile, representation, ...item }: LinkOrigin,
  { url, headers, expiresAt }: FreshLink,
  profile: string | undefined,
): RelayOrder {
  const { bound: _bound, ...others } = sealed;
  const { repId, kind } = representation;
  return {
    ...others,
    url,
    headers,
    origin: {
      ...item,
      ...(profile === undefined ? {} : { profile }),
      representation: { repId, kind, ...validityOf(expiresAt) },
    },
  };
}
