import { defined, dig, type Fields, fields, list, unlessEmpty } from '../../../../parsing/values.ts';
import {
  addUnread,
  createUnreadCounter,
  type UnreadCounter,
  type UnreadKinds,
  type UnreadResponseError,
  unreadResponse,
} from '../../../unread.ts';
import { continuationItems, readContinuation, unreadCommands } from '../continuations.ts';
import { isBareResponse, memberKinds } from '../member-kinds.ts';
import { readMessage } from '../message-renderer.ts';
import type { Comment, CommentPage, CommentsHeader } from './comment.ts';
import { readCommentRenderer } from './comment-renderer.ts';
import { readCommentView } from './comment-view.ts';
import { readCommentsHeader } from './comments-header.ts';
import { type Entities, readEntities } from './entities.ts';

/** Maximum number of comments, including replies. No page has that many. */
const MAX_COMMENTS = 2_000;
/** Maximum nesting of replies, more than the site has. Also bounds the recursion. */
const MAX_LEVELS = 20;
/** Maximum number of messages reported. */
const MAX_MESSAGES = 50;

/**
 * Reads the comments in a response of `next` or `browse`: threads, or the replies of one thread. Returns undefined for
 * a response without a list, which the site sends if comments are turned off.
 *
 * @throws UnreadResponseError if none of the entries can be read, or if the response has something else than a list.
 */
export function requireCommentPage(response: unknown): CommentPage | undefined {
  const page = readCommentPage(response);
  const isEmpty = page.threads.length === 0 && page.messages.length === 0;
  if (isEmpty && Object.keys(page.unread).length > 0) throw unreadCommentsError(page.unread);
  if (continuationItems(response) !== undefined) return page;
  if (isBareResponse(response)) return undefined;
  throw unreadCommentsError(memberKinds(response));
}

/** Reads the comments in a response, which may have none. */
export function readCommentPage(response: unknown): CommentPage {
  const walk: Walk = { entities: readEntities(response), ids: new Set(), messages: [], unread: createUnreadCounter() };
  const { comments, continuation } = readEntries(continuationItems(response) ?? [], walk, 0);
  return {
    ...defined({ header: walk.header, continuation }),
    threads: comments,
    messages: walk.messages,
    unread: addUnread(walk.unread.kinds(), unreadCommands(response)),
  };
}

/** Returns the error for a response of which no comment can be read. */
export function unreadCommentsError(unread: UnreadKinds): UnreadResponseError {
  return unreadResponse('YouTube returned the comments', unread);
}

/** Finds a comment by ID among threads and their included replies. */
export function findComment(threads: readonly Comment[], id: string): Comment | undefined {
  for (const thread of threads) {
    const match = thread.id === id ? thread : findComment(thread.replies ?? [], id);
    if (match !== undefined) return match;
  }
  return undefined;
}

interface Walk {
  readonly entities: Entities;
  /** IDs of comments found so far. A pinned comment appears in the list a second time, and pages may overlap. */
  readonly ids: Set<string>;
  readonly messages: string[];
  readonly unread: UnreadCounter;
  header?: CommentsHeader;
}

interface Entries {
  readonly comments: readonly Comment[];
  readonly continuation: string | undefined;
}

function readEntries(entries: readonly unknown[], walk: Walk, level: number): Entries {
  const comments: Comment[] = [];
  let continuation: string | undefined;
  for (const entry of entries) {
    for (const name of Object.keys(memberKinds(entry))) {
      const value = dig(entry, name);
      if (name === 'continuationItemRenderer') {
        const token = readContinuation(value);
        if (token === undefined) walk.unread.add(name);
        continuation = token ?? continuation;
      } else if (name === 'commentsHeaderRenderer') walk.header = readCommentsHeader(value);
      else if (name === 'messageRenderer') addMessage(readMessage(value), walk);
      else if (name !== 'adSlotRenderer') addComment(name, value, comments, walk, level);
    }
  }
  return { comments, continuation };
}

function addMessage(message: string | undefined, { messages }: Walk): void {
  if (message !== undefined && messages.length < MAX_MESSAGES) messages.push(message);
}

function addComment(name: string, value: unknown, comments: Comment[], walk: Walk, level: number): void {
  const comment = readComment(name, value, walk.entities);
  if (comment === undefined) {
    walk.unread.add(name);
  } else if (!walk.ids.has(comment.id) && walk.ids.size < MAX_COMMENTS) {
    walk.ids.add(comment.id);
    const { replies, ...thread } = fields(value);
    comments.push({ ...comment, ...readReplies(replies, walk, level) });
    if (name === 'commentThreadRenderer' && replies === undefined && comment.replyCount) {
      walk.unread.add(unknownPart(thread));
    }
  }
}

/** Returns the first part of a thread that is neither its comment nor about logging. */
function unknownPart(thread: Fields): string | undefined {
  const { comment: _, commentViewModel: __, loggingDirectives: ___, ...parts } = thread;
  const [kind] = Object.keys(memberKinds(parts));
  return kind !== undefined && Object.hasOwn(parts, kind) ? kind : undefined;
}

/** Reads a single comment or the first one of a thread, in either format. */
function readComment(name: string, value: unknown, entities: Entities): Comment | undefined {
  if (name === 'commentViewModel') return readCommentView(value, entities);
  if (name === 'commentRenderer') return readCommentRenderer(value);
  if (name !== 'commentThreadRenderer') return undefined;
  const view = dig(value, 'commentViewModel');
  return view === undefined
    ? readCommentRenderer(dig(value, 'comment', 'commentRenderer'))
    : readCommentView(view, entities);
}

/**
 * Reads a thread's replies: a token under `contents` (all recordings) or under `subThreads`, with or without included
 * replies (an experiment of the site, known from reports since 2025).
 */
function readReplies(node: unknown, walk: Walk, level: number) {
  if (node === undefined || level >= MAX_LEVELS) return {};
  const replies = dig(node, 'commentRepliesRenderer');
  const entries = [...list(dig(replies, 'contents')), ...list(dig(replies, 'subThreads'))];
  const { comments, continuation } = readEntries(entries, walk, level + 1);
  if (entries.length === 0) walk.unread.add(Object.keys(memberKinds(node))[0]);
  return defined({
    creatorReplied: dig(replies, 'viewRepliesCreatorThumbnail') !== undefined || undefined,
    replies: unlessEmpty(comments),
    repliesToken: continuation,
  });
}
