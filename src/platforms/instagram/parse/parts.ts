import { addUnread } from '../../unread.ts';
import type { PostMedia } from './post.ts';
import { type ReadList, readList, unreadList } from './readable.ts';

/**
 * Reads the images and videos of a post: the items of a carousel, or else the post itself. A carousel without items is
 * one entry that could not be read.
 *
 * @param read Returns undefined for an image or video in an unknown format.
 */
export function readParts(
  post: unknown,
  items: readonly unknown[],
  isCarousel: boolean,
  read: (media: unknown) => PostMedia | undefined,
): ReadList<PostMedia> {
  if (isCarousel && items.length === 0) return unreadList(post, 'carousel');
  const { entries, unread } = isCarousel ? readList(items, read, 'carousel_media') : readList([post], read, 'post');
  return { entries, unread: addUnread(unread, ...entries.map((media) => media.unread)) };
}
