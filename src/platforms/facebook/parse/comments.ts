import { parseCount } from '../../../parsing/numbers.ts';
import { count, defined, dig, isoTime, list, text } from '../../../parsing/values.ts';
import { readActor } from './author.ts';
import { cleanLink } from './clean-link.ts';
import { readReactions } from './feedback.ts';
import { type Copies, pick, type Records } from './records.ts';

/** Reads the comments in a page (10 to 20, "most relevant"). Further comments require a signed-in user. */
export function readComments(feedback: Copies, records: Records, total: number | undefined) {
  const places = ['comment_rendering_instance_for_feed_location', 'comment_rendering_instance'];
  const edges = places
    .flatMap((place) => feedback.map((copy) => list(dig(copy, place, 'comments', 'edges'))))
    .find((list) => list.length > 0);
  if (edges === undefined) return undefined;
  const threads = edges.slice(0, 100).flatMap((edge) => readComment(dig(edge, 'node', 'id'), records));
  return { header: defined({ count: total }), threads, nextToken: null };
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
