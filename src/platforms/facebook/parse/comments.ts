import { parseCount } from '../../../parsing/numbers.ts';
import { count, defined, dig, isoTime, list, text } from '../../../parsing/values.ts';
import { countKinds, kindOf } from '../../unread.ts';
import { readActor } from './author.ts';
import { cleanLink } from './clean-link.ts';
import { readReactions } from './feedback.ts';
import { type Copies, pick, type Records } from './records.ts';

const MAX_COMMENTS = 100;

/** Operations of pages with comments (2026-07). Pages of reels and videos only have their number. */
const operationsWithComments = /^CometSinglePost/;

/**
 * Reads the comments in a page (10 to 20, "most relevant"), and counts those of unknown kinds. Further comments require
 * a signed-in user.
 */
export function readComments(feedback: Copies, records: Records, total: number | undefined) {
  const places = ['comment_rendering_instance_for_feed_location', 'comment_rendering_instance'];
  const lists = places
    .flatMap((place) => feedback.map((copy) => dig(copy, place, 'comments', 'edges')))
    .filter((edges) => Array.isArray(edges));
  const edges = list(lists.find(({ length }) => length > 0));
  if (edges.length === 0) return { unread: lists.length === 0 && hasComments(records, total) ? { comments: 1 } : {} };
  const nodes = edges
    .slice(0, MAX_COMMENTS)
    .map((edge) => dig(edge, 'node'))
    // The site lists comments that guests cannot see as null.
    .filter((node) => node !== null);
  const read = nodes.map((node) => ({ node, threads: readComment(dig(node, 'id'), records) }));
  const unread = read.filter(({ threads }) => threads.length === 0).map(({ node }) => kindOf(node, 'Comment'));
  const threads = read.flatMap((entry) => entry.threads);
  return {
    comments: { header: defined({ count: total }), threads, nextToken: null },
    unread: countKinds(unread),
  };
}

/** Returns whether a page has comments, wherever they are. */
function hasComments(records: Records, total = 0): boolean {
  const isExpected = total > 0 && records.roots.some(({ operation = '' }) => operationsWithComments.test(operation));
  return isExpected || records.having('__typename').some(({ __typename: name }) => name === 'Comment');
}

function readComment(id: unknown, records: Records) {
  const copies = typeof id === 'string' ? records.copies(id) : [];
  const body = pick(copies, ({ body, preferred_body: other }) => text(dig(body, 'text')) ?? text(dig(other, 'text')));
  const authorId = pick(copies, ({ author }) => text(dig(author, 'id')));
  if (copies.length === 0 || (body === undefined && authorId === undefined)) return [];
  const feedback = records.copies(pick(copies, (copy) => text(dig(copy, 'feedback', 'id'))));
  const likeText = pick(feedback, (copy) => text(dig(copy, 'reactors', 'count_reduced')));
  const reactions = pick(feedback, readReactions);
  return [
    defined({
      type: 'comment',
      id: pick(copies, (copy) => text(copy.legacy_fbid)) ?? String(id),
      author: authorId === undefined ? undefined : readActor(authorId, records.copies(authorId)),
      text: body,
      url: pick(copies, (copy) => cleanLink(copy.url)),
      publishedAt: isoTime(pick(copies, (copy) => count(copy.created_time))),
      likeCount: parseCount(likeText),
      likeCountText: likeText,
      reactions,
      replyCount: pick(feedback, (copy) => count(dig(copy, 'replies_fields', 'total_count'))),
    }),
  ];
}
