import { longCount } from '../../words.ts';
import { continuation, continuationCommand, type Node, runs } from '../shapes/basics.ts';
import { type CommentNodes, commentRenderer, commentView } from '../shapes/comments.ts';
import { type Comment, commentAt, findComment, replyAt, type Subject } from '../world/comments.ts';
import { type CommentsQuery, writeCommentsToken } from './comment-tokens.ts';

const perPage = 20;
const repliesPerPage = 10;

/**
 * Returns a page of comments or replies: the first of a video or post with its header, later ones as appended items.
 */
export function commentsResponse(subject: Subject, query: CommentsQuery): Node {
  const { parent } = query;
  return parent === undefined ? topLevel(subject, query) : repliesTo(subject, parent, query);
}

function topLevel(subject: Subject, query: CommentsQuery): Node {
  const { newest, offset, linkedId } = query;
  const end = Math.min(offset + perPage, subject.comments);
  const first = linkedId === undefined || offset > 0 ? undefined : findComment(subject, linkedId);
  const places = Array.from({ length: Math.max(0, end - offset) }, (_, index) => offset + index);
  const pageComments = places.map((place) => commentAt(subject, newest ? subject.comments - 1 - place : place));
  const comments = first === undefined ? pageComments : [first, ...pageComments.filter(({ id }) => id !== first.id)];
  const threads = comments.map((comment) => thread(comment, subject, comment === first));
  const request = requestOf(subject);
  const more = end < subject.comments ? [continuation(writeCommentsToken({ ...query, offset: end }), request)] : [];
  const items = [...threads.map(({ node }) => node), ...more];
  const target = { targetId: 'comments-section' };
  const actions =
    offset > 0
      ? [{ appendContinuationItemsAction: { ...target, continuationItems: items } }]
      : [
          { reloadContinuationItemsCommand: { ...target, continuationItems: [header(subject, newest)] } },
          { reloadContinuationItemsCommand: { ...target, continuationItems: items } },
        ];
  return responseOf(actions, threads);
}

function repliesTo(subject: Subject, parent: string, query: CommentsQuery): Node {
  const count = findComment(subject, parent)?.replies ?? 0;
  const end = Math.min(query.offset + repliesPerPage, count);
  const places = Array.from({ length: Math.max(0, end - query.offset) }, (_, index) => query.offset + index);
  const replies = places.map((place) => commentNodes(replyAt(subject, parent, place), subject));
  const command = {
    continuationCommand: continuationCommand(writeCommentsToken({ ...query, offset: end }), requestOf(subject)),
  };
  const more = {
    continuationItemRenderer: { button: { buttonRenderer: { text: runs('Show more replies'), command } } },
  };
  const continuationItems = [...replies.map(({ node }) => node), ...(end < count ? [more] : [])];
  return responseOf(
    [{ appendContinuationItemsAction: { continuationItems, targetId: `comment-replies-item-${parent}` } }],
    replies,
  );
}

function thread(comment: Comment, subject: Subject, isLinked: boolean): CommentNodes {
  const { node, mutations } = commentNodes(comment, subject);
  const token = continuation(
    writeCommentsToken({
      subject: subject.id,
      newest: false,
      offset: 0,
      parent: comment.id,
      channelId: subject.channel.id,
    }),
    requestOf(subject),
  );
  const place = { targetId: `comment-replies-item-${comment.id}` };
  // Some threads have their replies in the shape of an experiment (seen 2026).
  const list =
    comment.index % 6 === 3 && subject.generation === 'new' ? { subThreads: [token] } : { contents: [token] };
  const replies = comment.replies === 0 ? {} : { replies: { commentRepliesRenderer: { ...list, ...place } } };
  const body = subject.generation === 'old' ? { comment: node } : { commentViewModel: node };
  const priority = `RENDERING_PRIORITY_${comment.pinned ? 'PINNED_COMMENT' : isLinked ? 'LINKED_COMMENT' : 'UNKNOWN'}`;
  return { node: { commentThreadRenderer: { ...replies, ...body, renderingPriority: priority } }, mutations };
}

function commentNodes(comment: Comment, subject: Subject): CommentNodes {
  return subject.generation === 'old' ? commentRenderer(comment, subject) : commentView(comment, subject);
}

function header(subject: Subject, newest: boolean): Node {
  const order = (title: string, isNewest: boolean) => {
    const token = writeCommentsToken({ subject: subject.id, newest: isNewest, offset: 0 });
    const serviceEndpoint = { continuationCommand: continuationCommand(token, requestOf(subject)) };
    return { title, selected: newest === isNewest, serviceEndpoint };
  };
  const subMenuItems = [order('Top', false), order('Newest', true)];
  return {
    commentsHeaderRenderer: {
      countText: runs(longCount(subject.comments), ' Comments'),
      sortMenu: { sortFilterSubMenuRenderer: { subMenuItems, title: 'Sort by' } },
    },
  };
}

function responseOf(onResponseReceivedEndpoints: readonly Node[], nodes: readonly CommentNodes[]): Node {
  const mutations = nodes.flatMap((each) => each.mutations);
  return {
    onResponseReceivedEndpoints,
    ...(mutations.length === 0 ? {} : { frameworkUpdates: { entityBatchUpdate: { mutations } } }),
  };
}

function requestOf({ id }: Subject): 'WATCH_NEXT' | 'BROWSE' {
  return id.startsWith('Ug') ? 'BROWSE' : 'WATCH_NEXT';
}
