import { defined, dig, fields, text } from '../../../values.ts';
import type { PostItem } from '../../items.ts';
import { counted } from '../numbers.ts';
import { plain } from '../text.ts';
import { readChannelCommand } from './channel-ref.ts';

/** Reads `backstagePostThreadRenderer` (channel's posts), and `postRenderer` (shelves), as far as lists need it. */
export function readPost(node: unknown): PostItem | undefined {
  const post = fields(dig(node, 'post', 'backstagePostRenderer') ?? dig(node, 'post', 'sharedPostRenderer') ?? node);
  const id = text(post.postId);
  if (id === undefined) return undefined;
  return {
    type: 'post',
    id,
    ...defined({
      channel: readChannelCommand(post.authorEndpoint ?? post.endpoint, post.authorText ?? post.displayName, {
        picture: post.authorThumbnail ?? post.thumbnail,
      }),
      text: plain(post.contentText) ?? plain(post.content),
      publishedText: plain(post.publishedTimeText),
    }),
    ...counted('likeCount', plain(post.voteCount)),
    url: `https://www.youtube.com/post/${encodeURIComponent(id.toWellFormed())}`,
  };
}
