import type { Account } from '../accounts/keys.ts';
import type { Addresses } from '../addresses.ts';
import type { MediaItem } from '../contract/media.ts';
import type { SourceMedia } from '../platforms/platform.ts';
import type { Sealer } from '../sealing.ts';
import { bareType } from './relay/media-types.ts';
import { relayLink } from './relay/relay-link.ts';

/** Relay links are good for this long, or until the source link dies. */
const LIFETIME_MS = 6 * 3_600_000;

/** What the relay links of one answer have in common. */
export interface RelayOffer {
  readonly account: Account;
  /** The exit that the extraction went through. */
  readonly exit: string;
  readonly addresses: Addresses;
  readonly sealer: Sealer;
}

/** Whether the caller gets a relay link in place of the source's own: when asked for, or when no plain one works. */
export function needsRelay({ stream }: SourceMedia, proxied: boolean): boolean {
  return proxied || stream?.relayOnly === true;
}

/** Makes what turns media into items whose link leads through the relay. */
export function createRelayItems({ account, exit, addresses, sealer }: RelayOffer): (media: SourceMedia) => MediaItem {
  const lifetime = Date.now() + LIFETIME_MS;
  return ({ item, stream }) => {
    const expiresAt = Math.min(lifetime, stream?.expiresAt ?? lifetime);
    return {
      ...item,
      url: relayLink(sealer, addresses.base, {
        url: item.url,
        headers: stream?.headers ?? {},
        exit,
        mediaType: bareType(item.metadata.mime_type),
        owner: account.id,
        expiresAt,
      }),
      metadata: { ...item.metadata, expires_at: new Date(expiresAt).toISOString() },
    };
  };
}
