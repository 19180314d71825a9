import { countMembers } from '../../../../parsing/numbers.ts';
import { defined, dig, type Fields, fields, text, unlessEmpty } from '../../../../parsing/values.ts';
import { isEdited } from '../dates.ts';
import { readLikes } from '../likes.ts';
import { readRuns, readText } from '../text.ts';
import { readChannelCommand, readChannelLink } from './channel-ref.ts';
import type { PostItem } from './list-item.ts';
import { readAttachment } from './post-attachment.ts';

/**
 * Maximum nesting of shared posts. A shared post that shares another does not contain a third. Also bounds the
 * recursion.
 */
const MAX_NESTING = 3;

/**
 * Reads a post under each of its keys: `backstagePostThreadRenderer` around a `backstagePostRenderer` or a
 * `sharedPostRenderer` (a channel's posts, a post's own page), and `postRenderer` (shelves).
 */
export function readPost(node: unknown): PostItem | undefined {
  return readNestedPost(node, 0);
}

function readNestedPost(node: unknown, depth: number): PostItem | undefined {
  const inside = dig(node, 'post') ?? node;
  const post = fields(dig(inside, 'backstagePostRenderer') ?? dig(inside, 'sharedPostRenderer') ?? inside);
  const id = text(post.postId);
  if (id === undefined) return undefined;
  const words = post.contentText ?? post.content;
  const publishedText = readText(post.publishedTimeText);
  return {
    type: 'post',
    id,
    ...defined({
      channel: readAuthor(post),
      text: readText(words),
      runs: unlessEmpty(readRuns(words)),
      publishedText,
      edited: isEdited(publishedText),
      membersOnly: post.sponsorsOnlyBadge !== undefined || undefined,
    }),
    ...readAttachment(post.backstageAttachment),
    ...readCounts(post),
    ...defined({
      sharedPost:
        post.originalPost === undefined || depth >= MAX_NESTING
          ? undefined
          : readNestedPost(post.originalPost, depth + 1),
    }),
    url: `https://www.youtube.com/post/${encodeURIComponent(id.toWellFormed())}`,
  };
}

function readAuthor(post: Fields) {
  const name = post.authorText ?? post.displayName;
  const extras = { picture: post.authorThumbnail ?? post.thumbnail };
  return readChannelCommand(post.authorEndpoint ?? post.endpoint, name, extras) ?? readChannelLink(name, extras);
}

function readCounts({ voteCount, actionButtons }: Fields) {
  const { likeButton, replyButton } = fields(dig(actionButtons, 'commentActionButtonsRenderer'));
  const like = dig(likeButton, 'toggleButtonRenderer', 'accessibilityData', 'accessibilityData', 'label');
  const reply = dig(replyButton, 'buttonRenderer');
  return {
    ...readLikes(readText(voteCount), text(like)),
    ...countMembers('commentCount', readText(dig(reply, 'text'))),
  };
}
