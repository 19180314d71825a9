import type { MetadataPart, PartPath } from '../../../platform.ts';
import type { ListItem, PostItem } from './list-item.ts';

/** Returns the posts with images in a list, and those that they share, as parts of the metadata. */
export function partsOfPosts(items: readonly ListItem[], path: PartPath): readonly MetadataPart[] {
  return items.flatMap((item, index) => (item.type === 'post' ? partsOfPost(item, [...path, index]) : []));
}

/** Returns a post, if it has images, and the post that it shares, as parts of the metadata. */
export function partsOfPost(post: PostItem, path: PartPath): readonly MetadataPart[] {
  const { id, channel, images, sharedPost } = post;
  const shared = sharedPost === undefined ? [] : partsOfPost(sharedPost, [...path, 'sharedPost']);
  if (images === undefined && shared.length === 0) return [];
  const channels = [channel?.id, channel?.handle].filter((name) => name !== undefined);
  return [{ path, subjects: { items: [id], channels } }, ...shared];
}
