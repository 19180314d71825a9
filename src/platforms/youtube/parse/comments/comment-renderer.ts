import { count, defined, dig, fields, text, unlessEmpty } from '../../../../parsing/values.ts';
import { isEdited } from '../dates.ts';
import { readChannelCommand } from '../items/channel-ref.ts';
import { readLikes } from '../likes.ts';
import { readRuns, readText } from '../text.ts';
import { readThumbnails } from '../thumbnails.ts';
import type { Comment, CommentAuthor } from './comment.ts';

/** Reads `commentRenderer`, the self-contained format used until 2024-04. */
export function readCommentRenderer(node: unknown): Comment | undefined {
  const comment = fields(node);
  const id = text(comment.commentId);
  if (id === undefined) return undefined;
  const buttons = dig(comment.actionButtons, 'commentActionButtonsRenderer');
  const publishedText = readText(comment.publishedTimeText);
  const pinnedBadge = dig(comment.pinnedCommentBadge, 'pinnedCommentBadgeRenderer');
  return {
    type: 'comment',
    id,
    ...defined({
      author: readAuthor(comment),
      text: readText(comment.contentText),
      runs: unlessEmpty(readRuns(comment.contentText)),
      publishedText,
      edited: isEdited(publishedText),
      pinned: pinnedBadge !== undefined || undefined,
      pinnedText: readText(dig(pinnedBadge, 'label')),
      hearted: dig(buttons, 'creatorHeart', 'creatorHeartRenderer') !== undefined || undefined,
      byCreator: comment.authorIsChannelOwner === true || undefined,
      replyCount: count(comment.replyCount),
    }),
    ...readLikes(
      readText(comment.voteCount) ?? label(comment.voteCount, 'accessibility'),
      label(dig(buttons, 'likeButton', 'toggleButtonRenderer'), 'accessibilityData'),
    ),
  };
}

function readAuthor(comment: Readonly<Record<string, unknown>>): CommentAuthor | undefined {
  const name = readText(comment.authorText);
  const picture = comment.authorThumbnail;
  const channel = readChannelCommand(comment.authorEndpoint, name, { picture });
  if (channel === undefined && name === undefined) return undefined;
  const mark = text(dig(comment.authorCommentBadge, 'authorCommentBadgeRenderer', 'icon', 'iconType'));
  return {
    ...(channel ?? defined({ name, thumbnails: unlessEmpty(readThumbnails(picture)) })),
    ...defined({
      verified: (mark !== undefined && /^CHECK|ARTIST/.test(mark)) || undefined,
      isCreator: comment.authorIsChannelOwner === true || undefined,
      isArtist: mark?.includes('ARTIST') || undefined,
      sponsor: readSponsor(dig(comment.sponsorCommentBadge, 'sponsorCommentBadgeRenderer')),
    }),
  };
}

function readSponsor(badge: unknown): CommentAuthor['sponsor'] {
  const thumbnails = unlessEmpty(readThumbnails(dig(badge, 'customBadge')));
  return thumbnails === undefined ? undefined : { ...defined({ text: text(dig(badge, 'tooltip')) }), thumbnails };
}

/**
 * Reads a screen reader text: `{<name>: {accessibilityData: {label}}}`, with an additional `accessibilityData` on
 * buttons.
 */
function label(node: unknown, name: string): string | undefined {
  return text(dig(node, name, 'accessibilityData', 'label'));
}
