import type { Account } from '../accounts/keys.ts';
import type { Addresses } from '../contract/addresses.ts';
import type { MediaItem } from '../contract/media.ts';
import { bareType } from '../contract/media-types.ts';
import type { SourceMedia } from '../contract/source-media.ts';
import type { Sealer } from '../sealing/sealing.ts';
import { type RelayOrder, relayLink } from './relay-link.ts';

/** Relay links are good for this long, or until the source link dies. */
export const LIFETIME_MS = 6 * 3_600_000;

/** Characters of a title that are sealed into a link, whose length is limited. */
const MAX_TITLE = 80;

/** What the relay links of one answer have in common. */
export interface RelayOffer {
  readonly account: Account;
  /** What a visitor's file is called; others name theirs as they like. */
  readonly title: string | undefined;
  /** The exit that the extraction went through. */
  readonly exit: string;
  readonly addresses: Addresses;
  readonly sealer: Sealer;
}

/** Whether the caller gets a relay link in place of the source's own: when asked for, or when no plain one works. */
export function needsRelay({ stream }: SourceMedia, proxied: boolean): boolean {
  return proxied || stream?.relayOnly === true;
}

/** Makes what seals a link into a relay link: for the account, or the one of many that it speaks for. */
export function createRelayLinks({ account, title, exit, addresses, sealer }: RelayOffer) {
  const { id, visitor } = account;
  const named = title === undefined ? {} : { title: title.slice(0, MAX_TITLE) };
  const whose = visitor === undefined ? { owner: id } : { owner: `${id}/${visitor}`, ...named };
  return (order: Pick<RelayOrder, 'url' | 'headers' | 'mediaType' | 'expiresAt'>): string =>
    relayLink(sealer, addresses.base, { ...order, ...whose, exit });
}

/** Makes what turns media into items whose link leads through the relay. */
export function createRelayItems(offer: RelayOffer): (media: SourceMedia) => MediaItem {
  const lifetime = Date.now() + LIFETIME_MS;
  const link = createRelayLinks(offer);
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
