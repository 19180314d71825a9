import { count, pick } from '../../seeded.ts';
import { type Channel, channelCount, channelOf } from './channels.ts';
import { commentIds, pair, replyIds, unpair } from './ids.ts';
import type { Generation } from './scenarios.ts';

/** Video or post that has comments. */
export interface Subject {
  readonly id: string;
  readonly channel: Channel;
  readonly generation: Generation;
  /** Number of comments, excluding replies. */
  readonly comments: number;
}

/** Comment of the simulated site. */
export interface Comment {
  readonly id: string;
  /** Index among the comments of its subject, or among the replies to a comment. */
  readonly index: number;
  readonly text: string;
  readonly author: Channel;
  readonly likes: number;
  readonly replies: number;
  readonly age: number;
  readonly pinned: boolean;
  readonly hearted: boolean;
  readonly edited: boolean;
  /** Whether the subject's channel wrote it. */
  readonly byOwner: boolean;
}

/** Upper limit of the numbers that represent subjects in the IDs of comments. */
const subjects = 2 ** 27;

/**
 * Returns the comment at an index of a subject. The first comment is pinned and written by the owner, the second is
 * hearted, and the third is edited.
 */
export function commentAt(subject: Subject, index: number): Comment {
  const id = commentIds.write(pair(pick(subjects, 'subject', subject.id), index));
  const replies = index % 3 === 0 ? 1 + pick(25, 'replies', id) : 0;
  return { ...commentBy(subject, id, index), replies: index === 0 ? 25 : replies, pinned: index === 0 };
}

/** Returns the reply at an index below a comment. */
export function replyAt(subject: Subject, parent: string, index: number): Comment {
  const id = `${parent}.${replyIds.write(pair(pick(subjects, 'parent', parent), index))}`;
  return { ...commentBy(subject, id, index + 1), index, replies: 0, pinned: false };
}

/** Finds a comment of a subject by its ID. */
export function findComment(subject: Subject, id: string): Comment | undefined {
  const number = commentIds.parse(id);
  if (number === undefined) return undefined;
  const [owner, index] = unpair(number);
  if (owner !== pick(subjects, 'subject', subject.id) || index >= subject.comments) return undefined;
  return commentAt(subject, index);
}

function commentBy({ channel }: Subject, id: string, index: number): Omit<Comment, 'replies' | 'pinned'> {
  const byOwner = index === 0;
  return {
    id,
    index,
    text: `Comment ${index + 1} on ${channel.topic}: see 0:0${index % 10}`,
    author: byOwner ? channel : channelOf(pick(channelCount, 'author', id)),
    likes: index === 1 ? 0 : count(4, 'likes', id),
    age: 1 + index * 3,
    hearted: index === 1,
    edited: index === 2,
    byOwner,
  };
}
