import { count, pick } from '../../seeded.ts';
import { type Channel, channelCount, channelOf } from './channels.ts';
import type { Subject } from './comments.ts';
import { pair, postIds, unpair } from './ids.ts';

/** Attachments below the text of a post. */
export const attachments = ['none', 'image', 'images', 'poll', 'quiz', 'video', 'playlist', 'shared'] as const;

/** Post of a channel. */
export interface Post extends Subject {
  readonly text: string;
  readonly age: number;
  readonly likes: number;
  readonly attachment: (typeof attachments)[number];
}

/** Returns a channel's post by its index, newest first; the kinds of attachment alternate. */
export function postAt(channel: Channel, index: number): Post {
  const id = postIds.write(pair(channel.number, index));
  return {
    id,
    channel,
    generation: channel.generation,
    comments: 5 + pick(50, 'comments', id),
    text: `Post ${index + 1} about ${channel.topic}. More at https://lab.example/${channel.topic} #lab`,
    age: index * 4,
    likes: count(5, 'likes', id),
    attachment: attachments[index % attachments.length] ?? 'none',
  };
}

/** Finds a post by ID. */
export function findPost(id: string): Post | undefined {
  const number = postIds.parse(id);
  if (number === undefined) return undefined;
  const [owner, index] = unpair(number);
  if (owner >= channelCount) return undefined;
  const channel = channelOf(owner);
  return index < channel.counts.posts ? postAt(channel, index) : undefined;
}
