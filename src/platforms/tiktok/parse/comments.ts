import {
  count,
  defined,
  dig,
  type Fields,
  fields,
  flag,
  isoTime,
  list,
  text,
  unlessEmpty,
} from '../../../parsing/values.ts';
import type { MetadataPart } from '../../platform.ts';
import type { ListReader } from './list-reader.ts';
import { mediaUrl } from './media-links.ts';
import { unknownLists } from './unknown-members.ts';

const MAX_COMMENTS = 200;
const MAX_IMAGES = 20;

/** The lists beside the comments. */
const knownLists = new Set(['comments', 'top_gifts']);

/**
 * Returns the first comments, if the page contains them. Signed-out visitors get no further ones. Returns undefined if
 * none of them could be read.
 */
export function readComments(commentList: Fields, lists: ListReader): Record<string, unknown> | undefined {
  const entries = list(commentList.comments);
  const threads = lists.read('commentList.comments', entries, MAX_COMMENTS, (entry) => readComment(entry, lists));
  const unknown = unknownLists('commentList', commentList, knownLists);
  lists.unread.addAll(unknown);
  if (threads.length === 0 && entries.length + Object.keys(unknown).length > 0) return undefined;
  const total = count(commentList.total);
  return { ...(total === undefined ? {} : { header: { count: total } }), threads, nextToken: null };
}

/** Returns the comments with images, which belong to their authors, as parts of the metadata. */
export function partsOfComments(comments: unknown): readonly MetadataPart[] {
  return list(fields(comments).threads).flatMap((comment, index) => {
    if (dig(comment, 'images') === undefined) return [];
    const { id, handle } = fields(dig(comment, 'author'));
    const names = [text(id), handle === undefined ? undefined : `@${String(handle)}`];
    const channels = names.filter((name) => name !== undefined);
    return [{ path: ['comments', 'threads', index], subjects: { channels } }];
  });
}

function readComment(value: unknown, lists: ListReader): object[] {
  const comment = fields(value);
  const id = text(comment.cid);
  if (id === undefined) return [];
  const user = fields(comment.user);
  const images = lists.read('comments.image_list', comment.image_list, MAX_IMAGES, readImage);
  return [
    {
      type: 'comment',
      id,
      ...defined({
        author: readAuthor(user),
        text: text(comment.text),
        images: unlessEmpty(images),
        publishedAt: isoTime(count(comment.create_time)),
        language: text(comment.comment_language),
        likeCount: count(comment.digg_count),
        replyCount: count(comment.reply_comment_total),
        pinned: flag(comment.author_pin),
        hearted: flag(comment.is_author_digged),
      }),
    },
  ];
}

function readAuthor(user: Fields): object | undefined {
  const handle = text(user.unique_id);
  const url = mediaUrl(dig(user.avatar_thumb, 'url_list', 0));
  const author = defined({
    id: text(user.uid),
    name: text(user.nickname),
    handle,
    url: handle === undefined ? undefined : `https://www.tiktok.com/@${encodeURIComponent(handle)}`,
    thumbnails: url === undefined ? undefined : [{ url }],
  });
  return Object.keys(author).length === 0 ? undefined : author;
}

function readImage(value: unknown): object[] {
  const origin = fields(fields(value).origin_url);
  const url = mediaUrl(dig(origin.url_list, 0));
  if (url === undefined) return [];
  return [{ url, ...defined({ width: count(origin.width), height: count(origin.height) }) }];
}
