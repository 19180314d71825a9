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
import { mediaUrl } from './media-links.ts';

const MAX_COMMENTS = 200;

/** Returns the first comments, if the page contains them. Signed-out visitors get no further ones. */
export function readComments(commentList: Fields): Record<string, unknown> {
  const threads = list(commentList.comments).slice(0, MAX_COMMENTS).flatMap(readComment);
  const total = count(commentList.total);
  return { ...(total === undefined ? {} : { header: { count: total } }), threads, nextToken: null };
}

function readComment(value: unknown): object[] {
  const comment = fields(value);
  const id = text(comment.cid);
  if (id === undefined) return [];
  const user = fields(comment.user);
  const images = list(comment.image_list).slice(0, 20).flatMap(readImage);
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
