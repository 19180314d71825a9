import type { Account } from '../accounts/keys.ts';
import { ownerOf } from '../accounts/owner.ts';
import type { Addresses } from '../contract/addresses.ts';
import type { MediaItem } from '../contract/media-items.ts';
import { type ItemOrigin, representationOf } from '../contract/media-origin.ts';
import { bareType } from '../contract/media-types.ts';
import type { SourceMedia } from '../contract/source-media.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { type RelayOrder, relayLink, relayLinkIfShort, subjectsIn } from './relay-link.ts';

/** How long relay links are valid, unless the source link expires sooner and cannot be replaced. */
export const RELAY_LINK_LIFETIME_MS = 6 * 3_600_000;

/** Maximum characters of the title in a link, because the length of links is limited. */
const MAX_TITLE = 80;

/** The context that the relay links of one response share. */
export interface RelayLinkContext {
  readonly account: Account;
  /** File name for visitors. Other callers choose their own file names. */
  readonly title: string | undefined;
  /** The exit that the extraction used. */
  readonly exit: string;
  readonly addresses: Addresses;
  readonly sealer: Sealer;
  /** Whether links are replaced when their source expires, so that relay links can be valid for longer. */
  readonly healsLinks?: boolean | undefined;
}

/** Whether the caller gets a relay link instead of the source's: if requested, or if a plain link would not work. */
export function needsRelay({ stream }: SourceMedia, isProxied: boolean): boolean {
  return isProxied || stream?.relayOnly === true;
}

/** The members of an order that differ between the links of a response. */
type FileOrder = Pick<RelayOrder, 'url' | 'headers' | 'mediaType' | 'expiresAt' | 'origin' | 'subjects'>;

/** Creates a function that seals a link into a relay link, for the account or its visitor. */
export function createRelayLinkBuilder(context: RelayLinkContext): (order: FileOrder) => string {
  const shared = sharedMembers(context);
  return (order) => relayLink(context.sealer, context.addresses.base, { ...order, ...shared });
}

/**
 * Creates a function that turns media into items with relay links.
 *
 * @param item Where the links of the media came from.
 */
export function createRelayItemBuilder(context: RelayLinkContext, item: ItemOrigin): (media: SourceMedia) => MediaItem {
  const { sealer, addresses, healsLinks = false } = context;
  const lifetime = Date.now() + RELAY_LINK_LIFETIME_MS;
  const shared = sharedMembers(context);
  const link = createRelayLinkBuilder(context);
  return (media) => {
    const {
      item: { url, metadata },
      stream,
    } = media;
    const sourceExpiry = Math.min(lifetime, stream?.expiresAt ?? lifetime);
    const plain = { url, headers: stream?.headers ?? {}, mediaType: bareType(metadata.mime_type) };
    if (stream !== undefined) {
      const origin = { ...item, representation: representationOf(media.item, stream) };
      const expiresAt = healsLinks ? lifetime : sourceExpiry;
      const healing = relayLinkIfShort(sealer, addresses.base, { ...plain, ...shared, expiresAt, origin });
      if (healing !== undefined) return itemWithLink(media.item, healing, expiresAt);
    }
    return itemWithLink(media.item, link({ ...plain, ...subjectsIn(item), expiresAt: sourceExpiry }), sourceExpiry);
  };
}

function sharedMembers({ account, title, exit }: RelayLinkContext): Pick<RelayOrder, 'owner' | 'title' | 'exit'> {
  const owner = ownerOf(account);
  if (account.visitor === undefined || title === undefined) return { owner, exit };
  return { owner, exit, title: title.slice(0, MAX_TITLE) };
}

function itemWithLink(item: MediaItem, url: string, expiresAt: number): MediaItem {
  return { ...item, url, metadata: { ...item.metadata, expires_at: new Date(expiresAt).toISOString() } };
}
