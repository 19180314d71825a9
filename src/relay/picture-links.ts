import type { ContentMetadata } from '../contract/envelope.ts';
import type { Steps } from '../waiting/steps.ts';
import { createRelayLinkBuilder, RELAY_LINK_LIFETIME_MS, type RelayLinkContext } from './relay-items.ts';

/** Members that list the sizes of an image, and the member that is the URL of an image. */
const pictureLists = new Set(['thumbnails', 'avatar', 'banner', 'images']);
const pictureUrl = 'thumbnailUrl';

/**
 * Replaces the image links of metadata with relay links, so that viewers contact no other host, in steps.
 *
 * @param subjects What the result belongs to, as blocks compare it.
 * @param subjectsOfPart What objects in the metadata belong to beyond that.
 */
export function* relayPictureLinks(
  metadata: ContentMetadata,
  context: RelayLinkContext,
  subjects: readonly string[],
  subjectsOfPart: ReadonlyMap<unknown, readonly string[]>,
): Steps<ContentMetadata> {
  const link = createRelayLinkBuilder(context);
  const expiresAt = Date.now() + RELAY_LINK_LIFETIME_MS;

  function* replaceLinks(value: unknown, isPicture: boolean, inherited: readonly string[]): Steps<unknown> {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      for (const each of value) list.push(yield* replaceLinks(each, isPicture, inherited));
      return list;
    }
    const own = subjectsOfPart.get(value);
    const all = own === undefined ? inherited : [...inherited, ...own];
    const toRelayLink = (url: string) => link({ url, headers: {}, mediaType: 'image/jpeg', subjects: all, expiresAt });
    const entries: [string, unknown][] = [];
    for (const [name, member] of Object.entries(value)) {
      const isLink = typeof member === 'string' && /^https?:\/\//.test(member);
      const isReplaced = isLink && (name === pictureUrl || (isPicture && name === 'url'));
      entries.push([name, isReplaced ? toRelayLink(member) : yield* replaceLinks(member, pictureLists.has(name), all)]);
    }
    yield undefined;
    return Object.fromEntries(entries);
  }

  // Only URLs are replaced, so the structure stays the same.
  return (yield* replaceLinks(metadata, false, subjects)) as ContentMetadata;
}
