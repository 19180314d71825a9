import type { Account } from '../accounts/keys.ts';
import type { Addresses } from '../contract/addresses.ts';
import type { MediaItem } from '../contract/media-items.ts';
import { bareType } from '../contract/media-types.ts';
import type { SourceMedia } from '../contract/source-media.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { type RelayOrder, relayLink } from './relay-link.ts';

/** How long relay links are valid, unless the source link expires sooner. */
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
}

/** Whether the caller gets a relay link instead of the source's: if requested, or if a plain link would not work. */
export function needsRelay({ stream }: SourceMedia, isProxied: boolean): boolean {
  return isProxied || stream?.relayOnly === true;
}

/** Creates a function that seals a link into a relay link, for the account or its visitor. */
export function createRelayLinkBuilder({ account, title, exit, addresses, sealer }: RelayLinkContext) {
  const { id, visitor } = account;
  const fileTitle = title === undefined ? {} : { title: title.slice(0, MAX_TITLE) };
  const ownership = visitor === undefined ? { owner: id } : { owner: `${id}/${visitor}`, ...fileTitle };
  return (order: Pick<RelayOrder, 'url' | 'headers' | 'mediaType' | 'expiresAt'>): string =>
    relayLink(sealer, addresses.base, { ...order, ...ownership, exit });
}

/** Creates a function that turns media into items with relay links. */
export function createRelayItemBuilder(context: RelayLinkContext): (media: SourceMedia) => MediaItem {
  const lifetime = Date.now() + RELAY_LINK_LIFETIME_MS;
  const link = createRelayLinkBuilder(context);
  return ({ item, stream }) => {
    const expiresAt = Math.min(lifetime, stream?.expiresAt ?? lifetime);
    const mediaType = bareType(item.metadata.mime_type);
    return {
      ...item,
      url: link({ url: item.url, headers: stream?.headers ?? {}, mediaType, expiresAt }),
      metadata: { ...item.metadata, expires_at: new Date(expiresAt).toISOString() },
    };
  };
}
