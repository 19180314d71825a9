/**
 * The shapes of list items: one a kind, whichever list they stand in. `type` and `id` are always there; every other
 * member only where the site tells it. A number that the site gives as text stands twice, parsed and as given.
 */

import type { CountMembers } from '../../../../parsing/numbers.ts';
import type { Picture } from '../../../../parsing/picture.ts';
import type { TextRun } from '../text.ts';

/** A channel where it is named beside something else. */
export interface ChannelRef extends CountMembers<'subscriberCount'> {
  readonly id: string;
  readonly name?: string;
  /** With its `@`. */
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
  /** Title of the shelf that it stood on. */
  readonly shelf?: string;
}

/**
 * A video of any length: `live` while it is on air, `short` where it is shown as one, `movie` where it is sold or shown
 * as a film. One that is yet to come is a `video` with `upcoming`.
 */
export interface VideoItem
  extends ItemBase,
    CountMembers<'viewCount'>,
    /** People who watch it right now. */
    CountMembers<'viewerCount'>,
    /** People who wait for it to begin. */
    CountMembers<'waitingCount'> {
  readonly type: 'video' | 'short' | 'live' | 'movie';
  readonly description?: string;
  readonly channel?: ChannelRef;
  /** Everybody who made it, where there are several; the first is `channel`. */
  readonly collaborators?: readonly ChannelRef[];
  /** Seconds. */
  readonly duration?: number;
  readonly durationText?: string;
  /** The site's own words, such as "2 years ago". */
  readonly publishedText?: string;
  readonly upcoming?: boolean;
  /** When it begins, in ISO 8601. */
  readonly scheduledAt?: string;
  readonly membersOnly?: boolean;
  /** False for an entry of a playlist that cannot be played. */
  readonly playable?: boolean;
  /** Place in its playlist, from 1. */
  readonly index?: number;
  /** "4K", "New", "CC" and their like. */
  readonly badges?: readonly string[];
  /** A film's lines of facts, such as "Drama · 2019 · PG-13". */
  readonly facts?: readonly string[];
}

/** A playlist, or what the site shows as one. */
export interface PlaylistItem extends ItemBase, CountMembers<'videoCount'> {
  readonly type: 'playlist';
  readonly kind: 'playlist' | 'album' | 'podcast' | 'show' | 'course';
  readonly channel?: ChannelRef;
  readonly updatedText?: string;
  readonly firstVideoId?: string;
}

/** A list without end that the site makes up around a video or a channel. */
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

/** A hashtag; its id is the tag without `#`. */
export interface HashtagItem extends ItemBase, CountMembers<'videoCount'>, CountMembers<'channelCount'> {
  readonly type: 'hashtag';
}

/** A picture of a post. */
export interface PostImage {
  /** Address of the picture in its full size. */
  readonly url: string;
  /** The sizes that the site shows, some of them cut to a square. */
  readonly thumbnails: readonly Picture[];
}

/** One of the answers of a poll. */
interface PollChoice {
  readonly text?: string;
  readonly thumbnails?: readonly Picture[];
  /** Share of the votes, from 0 to 1, and in the site's own words; signed-out visitors are seldom told. */
  readonly voteRatio?: number;
  readonly voteRatioText?: string;
}

/** A poll. */
export interface Poll extends CountMembers<'voteCount'> {
  readonly choices: readonly PollChoice[];
}

/** One of the answers of a quiz. */
interface QuizChoice {
  readonly text?: string;
  readonly thumbnails?: readonly Picture[];
  readonly correct?: boolean;
  /** Why it is right or wrong, in the words of the post's author. */
  readonly explanation?: string;
}

/** A quiz. */
export interface Quiz extends CountMembers<'voteCount'> {
  readonly choices: readonly QuizChoice[];
}

/** A post of a channel, in lists as on its own page. */
export interface PostItem
  extends Omit<ItemBase, 'title' | 'thumbnails'>,
    CountMembers<'likeCount'>,
    CountMembers<'commentCount'> {
  readonly type: 'post';
  readonly channel?: ChannelRef;
  readonly text?: string;
  /** The text in parts, with what they lead to. */
  readonly runs?: readonly TextRun[];
  /** The site's own words, such as "2 days ago (edited)". */
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

/** Anything that stands in a list. */
export type ListItem = VideoItem | PlaylistItem | MixItem | ChannelItem | HashtagItem | PostItem;
