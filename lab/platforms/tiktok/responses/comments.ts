import { pictureLink } from '../links.ts';
import type { Post } from '../world/posts.ts';
import { userOf } from '../world/users.ts';

/** Returns the first comments as in the streamed page for phones (`commentList`). */
export function commentsOf(post: Post) {
  return {
    alias_comment_deleted: false,
    comments: [0, 1, 2].map((place) => commentOf(post, place)),
    cursor: 3,
    extra: { api_debug_info: null, fatal_item_ids: null, now: Date.now() },
    has_filtered_comments: 0,
    has_more: 1,
    reply_style: 2,
    status_code: 0,
    status_msg: '',
    top_gifts: null,
    total: post.comments,
  };
}

/** Returns a comment. The author has pinned the first one and likes the second, which is an image. */
function commentOf(post: Post, place: number) {
  const user = userOf(`fan${place}`);
  const url_list = [pictureLink(`avatar-${user.name}`, 'tiktokx-cropcenter:100:100.jpeg')];
  const picture = { height: 720, width: 1280, uri: '', url_prefix: null };
  const link = pictureLink(`o${post.id}-comment`, 'jj85edgx6n-image-origin.image');
  return {
    allow_download_photo: true,
    author_pin: place === 0,
    aweme_id: post.id,
    cid: `${BigInt(post.id) + BigInt(2_000_000 + place)}`,
    collect_stat: 0,
    comment_language: 'en',
    create_time: post.createdAt + 3600 * (place + 1),
    digg_count: 30 - place,
    image_list: place === 1 ? [{ origin_url: { ...picture, url_list: [link] }, source: 0 }] : null,
    is_author_digged: place === 1,
    no_show: false,
    reply_comment: null,
    reply_comment_total: place,
    reply_id: '0',
    status: 1,
    stick_position: 0,
    text: place === 1 ? '' : `Comment ${place + 1}`,
    text_extra: [],
    user: {
      avatar_thumb: { uri: '', url_list, url_prefix: null },
      custom_verify: '',
      nickname: user.nickname,
      sec_uid: user.secUid,
      uid: user.id,
      unique_id: user.name,
    },
  };
}
