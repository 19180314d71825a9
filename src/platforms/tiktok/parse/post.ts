import { MillraceError } from '../../../contract/errors.ts';
import { dig, type Fields, fields, isFields, text } from '../../../parsing/values.ts';
import type { SourceResponse } from '../../platform.ts';
import { addUnread, unreadResponse } from '../../unread.ts';
import { type Picture, readPhotos } from './images.ts';
import { createListReader, type ListReader } from './list-reader.ts';
import { mediaUrl } from './media-links.ts';
import { type PostPage, unreadDetail } from './page.ts';
import { ageRestricted, pageFailure, type Refusal, refusalOf } from './refusal.ts';
import { inPlaceOf, unknownObjects } from './unknown-members.ts';
import { readVideoFiles, type VideoFile } from './video-files.ts';

/** A post as its page describes it, before conversion to the contract's format. */
export interface Post {
  readonly item: Fields;
  readonly comments?: Fields;
  /** The files of a video post. */
  readonly files: readonly VideoFile[];
  /** The photos of a photo post, in order. */
  readonly photos: readonly Picture[];
  /** The reader of the page's lists, which counts their unread entries. */
  readonly lists: ListReader;
}

/** A post's page after parsing: the post, or the site's refusal. */
type PostPageResult =
  | { readonly post: Post; readonly refusal?: never }
  | { readonly refusal: Refusal; readonly post?: never };

/**
 * Reads a post's page.
 *
 * @throws MillraceError for a page without the post: a login, a bot check, an empty shell, or an unknown shape.
 */
export function readPost(response: SourceResponse, page: PostPage, id: string): PostPageResult {
  const { detail, comments, unread } = page;
  if (detail === undefined) throw pageFailure(response, page);
  const refusal = refusalOf(detail);
  if (refusal !== undefined) return { refusal };
  const item = fields(dig(detail.data, 'itemInfo', 'itemStruct'));
  if (item.id === undefined) throw unreadDetail('post', detail, ['itemInfo', 'itemStruct', 'id']);
  if (text(item.id) !== id) {
    throw new MillraceError('invalid_response_data', 'TikTok returned a post other than the requested one. Try again.');
  }
  const lists = createListReader();
  lists.unread.addAll(unread);
  const files = readVideoFiles(fields(item.video), lists);
  const photos = readPhotos(fields(item.imagePost), lists);
  const error = files.length + photos.length > 0 ? undefined : missingMedia(item, lists);
  if (error !== undefined) return { refusal: { error, elsewhere: false } };
  return { post: { item, files, photos, lists, ...(comments === undefined ? {} : { comments }) } };
}

/** Members of a post, and of its media, that are objects. */
const knownParts = {
  itemStruct: new Set([
    ...['author', 'authorStats', 'authorStatsV2', 'challenges', 'contents', 'creatorAIComment', 'imagePost'],
    ...['item_control', 'mixInfo', 'music', 'poi', 'stats', 'statsV2', 'stickersOnItem', 'textExtra', 'video'],
  ]),
  video: new Set([
    'PlayAddrStruct',
    'bitrateInfo',
    'claInfo',
    'shareCover',
    'subtitleInfos',
    'volumeInfo',
    'zoomCover',
  ]),
  imagePost: new Set(['images', 'cover', 'shareCover']),
} as const;

/**
 * Returns the error for a post without media as the site states it: with its classification, or with an empty link or
 * list.
 *
 * @throws UnreadResponseError if the page makes no such statement, because then the media are in an unknown place.
 */
function missingMedia(item: Fields, { unread }: ListReader): MillraceError {
  if (item.isContentClassified === true) return ageRestricted();
  const { video, imagePost } = item;
  const part = isFields(imagePost) ? 'imagePost' : isFields(video) ? 'video' : 'itemStruct';
  const kinds = addUnread(
    Object.fromEntries(Object.entries(unread.kinds()).filter(([kind]) => kind.startsWith(`${part}.`))),
    // A photo post has an empty video beside its photos, which may have a new name.
    part === 'imagePost' ? {} : unknownObjects('itemStruct', item, knownParts.itemStruct),
  );
  const hasUnread = Object.keys(kinds).length > 0;
  if (!hasUnread && statesNoMedia(item)) {
    return new MillraceError('unavailable', 'TikTok lists no file for this post.');
  }
  const missing = { imagePost: 'images', video: 'playAddr', itemStruct: 'video' }[part];
  const owner = { imagePost, video, itemStruct: item }[part];
  throw unreadResponse(
    'TikTok returned the media of the post',
    hasUnread ? kinds : inPlaceOf(missing, part, owner, knownParts[part]),
  );
}

/** Returns whether a post has an empty list of photos, an empty link, or only files that no player supports. */
function statesNoMedia({ imagePost, video }: Fields): boolean {
  if (isFields(imagePost)) return Array.isArray(imagePost.images);
  return isFields(video) && (video.playAddr === '' || mediaUrl(video.playAddr) !== undefined);
}
