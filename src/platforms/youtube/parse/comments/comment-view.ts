import { countMembers } from '../../../../parsing/numbers.ts';
import { defined, dig, type Fields, fields, isFields, text, unlessEmpty } from '../../../../parsing/values.ts';
import { isEdited } from '../dates.ts';
import { readChannelCommand } from '../items/channel-ref.ts';
import { readLikes } from '../likes.ts';
import { readRuns, readText } from '../text.ts';
import { readThumbnails } from '../thumbnails.ts';
import type { Comment, CommentAuthor } from './comment.ts';
import type { Entities } from './entities.ts';

/**
 * Reads `commentViewModel` (since 2024-04), whose text and counts are in the response's entities. Returns undefined if
 * there is no such entity.
 */
export function readCommentView(node: unknown, entities: Entities): Comment | undefined {
  // Within a thread, the view is nested in a member of the same name.
  const view = fields(dig(node, 'commentViewModel') ?? node);
  const entity = dig(entities.get(view.commentKey), 'commentEntityPayload');
  const { content, publishedTime } = fields(dig(entity, 'properties'));
  const toolbar = fields(dig(entity, 'toolbar'));
  const id = text(view.commentId) ?? text(dig(entity, 'properties', 'commentId'));
  if (id === undefined || !isFields(entity)) return undefined;
  const state = dig(entities.get(view.toolbarStateKey), 'engagementToolbarStateEntityPayload', 'heartState');
  const publishedText = text(publishedTime);
  const pinnedText = readText(view.pinnedText);
  return {
    type: 'comment',
    id,
    ...defined({
      author: readAuthor(entity),
      text: readText(content),
      runs: unlessEmpty(readRuns(content)),
      publishedText,
      edited: isEdited(publishedText),
      pinned: pinnedText !== undefined || undefined,
      pinnedText,
      hearted: state === 'TOOLBAR_HEART_STATE_HEARTED' || undefined,
      byCreator: dig(entity, 'author', 'isCreator') === true || undefined,
    }),
    // The displayed text is blank if there are no likes, but the screen reader text says "0 likes". For a reply, the
    // number of replies to it is in the screen reader text.
    ...readLikes(text(toolbar.likeCountNotliked) ?? text(toolbar.likeCountA11y), text(toolbar.likeButtonA11y)),
    ...countMembers('replyCount', text(toolbar.replyCount) ?? text(toolbar.replyCountA11y)),
  };
}

function readAuthor(entity: unknown): CommentAuthor | undefined {
  const author = fields(dig(entity, 'author'));
  const name = text(author.displayName);
  const picture = dig(entity, 'avatar', 'image') ?? { sources: [{ url: author.avatarThumbnailUrl }] };
  const channel =
    readChannelCommand(dig(author.channelCommand, 'innertubeCommand'), name, { picture }) ??
    readChannelCommand(channelCommand(author), name, { picture });
  if (channel === undefined && name === undefined) return undefined;
  return {
    ...(channel ?? defined({ name, thumbnails: unlessEmpty(readThumbnails(picture)) })),
    ...defined({
      verified: author.isVerified === true || author.isArtist === true || undefined,
      isCreator: author.isCreator === true || undefined,
      isArtist: author.isArtist === true || undefined,
      sponsor: readSponsor(author.sponsorBadgeUrl, author.sponsorBadgeA11y),
    }),
  };
}

/** Returns the command that opens an author's channel, made from the ID. Some comments lack their own (2026-08). */
function channelCommand({ channelId, displayName }: Fields): Fields {
  return { browseEndpoint: { browseId: channelId, canonicalBaseUrl: displayName } };
}

function readSponsor(url: unknown, words: unknown): CommentAuthor['sponsor'] {
  const thumbnails = unlessEmpty(readThumbnails({ sources: [{ url }] }));
  return thumbnails === undefined ? undefined : { ...defined({ text: text(words) }), thumbnails };
}
