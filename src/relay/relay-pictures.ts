import type { ContentMetadata } from '../contract/envelope.ts';
import { createRelayLinks, LIFETIME_MS, type RelayOffer } from './relay-items.ts';

/** Members that hold a picture's sizes, and those that hold the address of one. */
const lists = new Set(['thumbnails', 'avatar', 'banner', 'images']);
const single = 'thumbnailUrl';

/** The metadata of an answer, with links of the relay to its pictures: who looks at them meets no other host. */
export function relayPictures(metadata: ContentMetadata, offer: RelayOffer): ContentMetadata {
  const link = createRelayLinks(offer);
  const expiresAt = Date.now() + LIFETIME_MS;
  const relayed = (url: string) => link({ url, headers: {}, mediaType: 'image/jpeg', expiresAt });
  // The shape stays: only addresses are others.
  return copy(metadata, false, relayed) as ContentMetadata;
}

function copy(value: unknown, picture: boolean, relayed: (url: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => copy(each, picture, relayed));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isLink = typeof member === 'string' && /^https?:\/\//.test(member);
      if (isLink && (name === single || (picture && name === 'url'))) return [name, relayed(member)];
      return [name, copy(member, lists.has(name), relayed)];
    }),
  );
}
