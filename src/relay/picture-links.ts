import type { ContentMetadata } from '../contract/envelope.ts';
import { createRelayLinkBuilder, RELAY_LINK_LIFETIME_MS, type RelayLinkContext } from './relay-items.ts';

/** Members that list the sizes of an image, and the member that is the URL of an image. */
const pictureLists = new Set(['thumbnails', 'avatar', 'banner', 'images']);
const pictureUrl = 'thumbnailUrl';

/**
 * Replaces the image links of metadata with relay links, so that viewers contact no other host.
 *
 * @param subjects What the result belongs to, as blocks compare it.
 */
export function relayPictureLinks(
  metadata: ContentMetadata,
  context: RelayLinkContext,
  subjects: readonly string[],
): ContentMetadata {
  const link = createRelayLinkBuilder(context);
  const expiresAt = Date.now() + RELAY_LINK_LIFETIME_MS;
  const toRelayLink = (url: string) => link({ url, headers: {}, mediaType: 'image/jpeg', subjects, expiresAt });
  // Only URLs are replaced, so the structure stays the same.
  return replaceLinks(metadata, false, toRelayLink) as ContentMetadata;
}

function replaceLinks(value: unknown, isPicture: boolean, toRelayLink: (url: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => replaceLinks(each, isPicture, toRelayLink));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isLink = typeof member === 'string' && /^https?:\/\//.test(member);
      if (isLink && (name === pictureUrl || (isPicture && name === 'url'))) return [name, toRelayLink(member)];
      return [name, replaceLinks(member, pictureLists.has(name), toRelayLink)];
    }),
  );
}
