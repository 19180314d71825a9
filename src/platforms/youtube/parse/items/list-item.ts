/**
 * Formats of list items: one per kind, the same in all lists. `type` and `id` are always present; every other member
 * only if the site provides it. A number that the site provides as text has two members, the parsed value and the
 * original text.
 */

import type { CountMembers } from '../../../../parsing/numbers.ts';
import type { Picture } from '../../../../parsing/picture.ts';
import type { TextRun } from '../text.ts';

/** A channel that is part of another object. */
export interface ChannelRef extends CountMembers<'subscriberCount'> {
  readonly id: string;
  readonly name?: string;
  /** Includes the `@`. */
  readonly handle?: string;
  readonly url: string;
  readonly verified?: boolean;
  readonly thumbnails?: readonly Picture[];
}

interface ItemBase {
  readonly id: string;
  readonly title?: string;
  readonly url: string;
  /** Largest first. */
  readonly thumbnails?: readonly Picture[];
  /** Title of the shelf that contains it. */
  readonly shelf?: string;
}

/**
 * A video of any length: `live` during a broadcast, `short` if it is displayed as a short, `movie` if it is sold or
 * displayed as a film. An upcoming one is a `video` with `upcoming`.
 */
export interface VideoItem
  extends ItemBase,
    CountMembers<'viewCount'>,
    /** Current viewers. */
    CountMembers<'viewerCount'>,
    /** People waiting for it to begin. */
    CountMembers<'waitingCount'> {
  readonly type: 'video' | 'short' | 'live' | 'movie';
  readonly description?: string;
  readonly channel?: ChannelRef;
  /** All creators, if there are several; the first is `channel`. */
  readonly collaborators?: readonly ChannelRef[];
  /** Seconds. */
  readonly duration?: number;
  readonly durationText?: string;
  /** The site's own text, such as "2 years ago". */
  readonly publishedText?: string;
  readonly upcoming?: boolean;
  /** Start time in ISO 8601. */
  readonly scheduledAt?: string;
  readonly membersOnly?: boolean;
  /** False for a playlist entry that cannot be played. */
  readonly playable?: boolean;
  /** Position in its playlist, from 1. */
  readonly index?: number;
  /** Badges such as "4K", "New" and "CC". */
  readonly badges?: readonly string[];
  /** A film's information lines, such as "Drama · 2019 · PG-13". */
  readonly facts?: readonly string[];
}

/** A playlist, or an item that the site displays as one. */
export interface PlaylistItem extends ItemBase, CountMembers<'videoCount'> {
  readonly type: 'playlist';
  readonly kind: 'playlist' | 'album' | 'podcast' | 'show' | 'course';
  readonly channel?: ChannelRef;
  readonly updatedText?: string;
  readonly firstVideoId?: string;
}

/** An endless list that the site generates around a video or a channel. */
export interface MixItem extends ItemBase {
  readonly type: 'mix';
  readonly description?: string;
  readonly firstVideoId?: string;
}

/** A channel. */
export interface ChannelItem
  extends ItemBase,
    CountMembers<'subscriberCount'>,
    CountMembers<'videoCount'>,
    CountMembers<'viewerCount'> {
  readonly type: 'channel';
  readonly handle?: string;
  readonly description?: string;
  readonly verified?: boolean;
}

/** A hashtag; its ID is the tag without `#`. */
export interface HashtagItem extends ItemBase, CountMembers<'videoCount'>, CountMembers<'channelCount'> {
  readonly type: 'hashtag';
}

/** An image of a post. */
export interface PostImage {
  /** Address of the image in full size. */
  readonly url: string;
  /** The sizes that the site displays, some of them cropped to a square. */
  readonly thumbnails: readonly Picture[];
}

/** A choice of a poll. */
interface PollChoice {
  readonly text?: string;
  readonly thumbnails?: readonly Picture[];
  /** Portion of the votes, from 0 to 1, and the site's own text. Signed-out visitors seldom get them. */
  readonly voteRatio?: number;
  readonly voteRatioText?: string;
}

/** A poll. */
export interface Poll extends CountMembers<'voteCount'> {
  readonly choices: readonly PollChoice[];
}

/** A choice of a quiz. */
interface QuizChoice {
  readonly text?: string;
  readonly thumbnails?: readonly Picture[];
  readonly correct?: boolean;
  /** Why the choice is right or wrong, written by the post's author. */
  readonly explanation?: string;
}

/** A quiz. */
export interface Quiz extends CountMembers<'voteCount'> {
  readonly choices: readonly QuizChoice[];
}

/** A channel's post, in lists and on its own page. */
export interface PostItem
  extends Omit<ItemBase, 'title' | 'thumbnails'>,
    CountMembers<'likeCount'>,
    CountMembers<'commentCount'> {
  readonly type: 'post';
  readonly channel?: ChannelRef;
  readonly text?: string;
  /** The text in parts, with their links. */
  readonly runs?: readonly TextRun[];
  /** The site's own text, such as "2 days ago (edited)". */
  readonly publishedText?: string;
  readonly edited?: boolean;
  readonly membersOnly?: boolean;
  readonly images?: readonly PostImage[];
  readonly poll?: Poll;
  readonly quiz?: Quiz;
  readonly video?: VideoItem;
  readonly playlist?: PlaylistItem | MixItem;
  /** The post that this one shares. */
  readonly sharedPost?: PostItem;
}

/** Any item of a list. */
export type ListItem = VideoItem | PlaylistItem | MixItem | ChannelItem | HashtagItem | PostItem;
