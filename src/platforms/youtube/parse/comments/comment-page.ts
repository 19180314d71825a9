import { defined, dig, isFields, list, unlessEmpty } from '../../../../parsing/values.ts';
import { continuationItems, readContinuation } from '../continuations.ts';
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
/** Maximum number of distinct kinds or messages reported. */
const MAX_REPORTED = 50;

/** Reads the comments in a response of `next` or `browse`: threads, or the replies of one thread. */
export function readCommentPage(response: unknown): CommentPage {
  const walk: Walk = { entities: readEntities(response), ids: new Set(), messages: [], unknownKinds: new Map() };
  const { comments, continuation } = readEntries(continuationItems(response) ?? [], walk, 0);
  return {
    ...defined({ header: walk.header, continuation }),
    threads: comments,
    messages: walk.messages,
    unknownKinds: Object.fromEntries(walk.unknownKinds),
  };
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
  readonly unknownKinds: Map<string, number>;
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
    if (!isFields(entry)) continue;
    for (const [name, value] of Object.entries(entry)) {
      if (name === 'continuationItemRenderer') continuation = readContinuation(value) ?? continuation;
      else if (name === 'commentsHeaderRenderer') walk.header = readCommentsHeader(value);
      else if (name === 'messageRenderer') addMessage(readMessage(value), walk);
      else if (/(?:Renderer|ViewModel)$/.test(name)) addComment(name, value, comments, walk, level);
    }
  }
  return { comments, continuation };
}

function addMessage(message: string | undefined, { messages }: Walk): void {
  if (message !== undefined && messages.length < MAX_REPORTED) messages.push(message);
}

function addComment(name: string, value: unknown, comments: Comment[], walk: Walk, level: number): void {
  const comment = readComment(name, value, walk.entities);
  if (comment === undefined) {
    const times = walk.unknownKinds.get(name);
    if (times !== undefined || walk.unknownKinds.size < MAX_REPORTED) walk.unknownKinds.set(name, (times ?? 0) + 1);
  } else if (!walk.ids.has(comment.id) && walk.ids.size < MAX_COMMENTS) {
    walk.ids.add(comment.id);
    comments.push({ ...comment, ...readReplies(dig(value, 'replies', 'commentRepliesRenderer'), walk, level) });
  }
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
function readReplies(replies: unknown, walk: Walk, level: number) {
  if (replies === undefined || level >= MAX_LEVELS) return {};
  const entries = [...list(dig(replies, 'contents')), ...list(dig(replies, 'subThreads'))];
  const { comments, continuation } = readEntries(entries, walk, level + 1);
  return defined({
    creatorReplied: dig(replies, 'viewRepliesCreatorThumbnail') !== undefined || undefined,
    replies: unlessEmpty(comments),
    repliesToken: continuation,
  });
}
