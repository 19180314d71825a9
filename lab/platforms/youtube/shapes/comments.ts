import { ago, longCount, shortCount } from '../../words.ts';
import type { Comment, Subject } from '../world/comments.ts';
import { avatars, channelEndpoint, content, type Node, runs, simple } from './basics.ts';

/** Comment in its list, and its content beside the list. */
export interface CommentNodes {
  readonly node: Node;
  readonly mutations: readonly Node[];
}

/** Returns a comment in the shape since 2024: a key in the list, and its content among the mutations. */
export function commentView(comment: Comment, subject: Subject): CommentNodes {
  const [commentKey, toolbarStateKey] = [keyOf(comment.id, 'comment'), keyOf(comment.id, 'toolbar')];
  const pinned = comment.pinned ? { pinnedText: `Pinned by @${subject.channel.handle}` } : {};
  return {
    node: { commentViewModel: { commentKey, toolbarStateKey, ...pinned, commentId: comment.id } },
    mutations: [
      mutation(commentKey, {
        commentEntityPayload: { key: commentKey, ...entityOf(comment, subject, toolbarStateKey) },
      }),
      mutation(toolbarStateKey, {
        engagementToolbarStateEntityPayload: {
          key: toolbarStateKey,
          likeState: 'TOOLBAR_LIKE_STATE_INDIFFERENT',
          heartState: `TOOLBAR_HEART_STATE_${comment.hearted ? 'HEARTED' : 'UNHEARTED'}`,
        },
      }),
    ],
  };
}

/** Returns a comment in the shape until 2024-04: all of it in the list. */
export function commentRenderer(comment: Comment, subject: Subject): CommentNodes {
  const { id, author, likes, replies, byOwner } = comment;
  const heart = { creatorHeart: { creatorHeartRenderer: { isHearted: true } } };
  const actions = { commentActionButtonsRenderer: comment.hearted ? heart : {} };
  const pinned = { pinnedCommentBadgeRenderer: { label: runs('Pinned by ', `@${subject.channel.handle}`) } };
  return {
    node: {
      commentRenderer: {
        authorText: simple(`@${author.handle}`),
        authorThumbnail: { thumbnails: avatars(author, 48, 88, 176) },
        authorEndpoint: channelEndpoint(author),
        contentText: runs(comment.text),
        publishedTimeText: runs(whenOf(comment)),
        commentId: id,
        actionButtons: actions,
        authorIsChannelOwner: byOwner,
        ...(comment.pinned ? { pinnedCommentBadge: pinned } : {}),
        ...(likes === 0 ? {} : { voteCount: simple(shortCount(likes)) }),
        ...(replies === 0 ? {} : { replyCount: replies }),
      },
    },
    mutations: [],
  };
}

function entityOf(comment: Comment, { channel }: Subject, toolbarStateKey: string): Node {
  const { id, author, likes, replies, byOwner } = comment;
  const [picture] = avatars(author, 88);
  const replying = id.includes('.');
  return {
    properties: {
      commentId: id,
      content: content(comment.text),
      publishedTime: whenOf(comment),
      replyLevel: replying ? 1 : 0,
      authorButtonA11y: `@${author.handle}`,
      toolbarStateKey,
    },
    author: {
      channelId: author.id,
      displayName: `@${author.handle}`,
      avatarThumbnailUrl: picture?.url,
      isVerified: author.verified,
      isCurrentUser: false,
      isCreator: byOwner,
      channelCommand: { innertubeCommand: channelEndpoint(author) },
      isArtist: false,
    },
    toolbar: {
      likeCountLiked: shortCount(likes + 1),
      likeCountNotliked: likes === 0 ? ' ' : shortCount(likes),
      replyCount: replies === 0 ? '' : shortCount(replies),
      likeCountA11y: `${longCount(likes)} likes`,
      ...(comment.hearted ? { creatorThumbnailUrl: avatars(channel, 88)[0]?.url } : {}),
    },
  };
}

function whenOf({ age, edited }: Comment): string {
  return `${ago(age)}${edited ? ' (edited)' : ''}`;
}

function mutation(entityKey: string, payload: Node): Node {
  return { entityKey, type: 'ENTITY_MUTATION_TYPE_REPLACE', payload };
}

function keyOf(id: string, kind: string): string {
  return encodeURIComponent(Buffer.from(`${kind} ${id}`).toString('base64url'));
}
