/**
 * The shapes of comments under videos and posts. `type` and `id` are always there; every other member only where the
 * site tells it, and truth values only where they are true.
 */

import type { CountMembers } from '../../../../parsing/numbers.ts';
import type { Picture } from '../../../../parsing/picture.ts';
import type { ChannelRef } from '../items/list-item.ts';
import type { TextRun } from '../text.ts';

/** Who wrote a comment. An account that is gone has a name alone. */
export interface CommentAuthor extends Partial<ChannelRef> {
  /** Whether the video or post is theirs. */
  readonly isCreator?: boolean;
  /** Whether the site marks the channel as that of an artist. */
  readonly isArtist?: boolean;
  /** The badge of a paying member of the channel. */
  readonly sponsor?: SponsorBadge;
}

/** The badge of a paying member, such as "Member (8 months)". */
interface SponsorBadge {
  readonly text?: string;
  readonly thumbnails?: readonly Picture[];
}

/** A comment, or a reply to one. */
export interface Comment extends CountMembers<'likeCount'>, CountMembers<'replyCount'> {
  readonly type: 'comment';
  readonly id: string;
  readonly author?: CommentAuthor;
  readonly text?: string;
  /** The text in parts, with what they lead to and the pictures of emoji. */
  readonly runs?: readonly TextRun[];
  /** The site's own words, such as "2 years ago (edited)". */
  readonly publishedText?: string;
  readonly edited?: boolean;
  readonly pinned?: boolean;
  /** The site's own words, such as "Pinned by @name". */
  readonly pinnedText?: string;
  /** Whether the creator gave it a heart. */
  readonly hearted?: boolean;
  /** Whether the creator wrote it. */
  readonly byCreator?: boolean;
  /** Whether the creator is among those who replied. */
  readonly creatorReplied?: boolean;
  /** Replies that came with it; `repliesToken` leads to the others. */
  readonly replies?: readonly Comment[];
  /** The page token of its replies: `nextToken` for the same endpoint, beside the same other parameters. */
  readonly repliesToken?: string;
}

/** An order in which comments can be had. */
export interface SortOrder {
  /** The value of the parameter `sortBy`; absent for an order that the contract does not know. */
  readonly sortBy?: SortBy;
  /** The site's own word for it. */
  readonly title?: string;
  readonly selected: boolean;
}

/** The orders of the contract, in the places where the site's menu has them. */
export const sortOrders = ['TOP_COMMENTS', 'NEWEST_FIRST'] as const;

/** A name of {@link sortOrders}. */
export type SortBy = (typeof sortOrders)[number];

/** The order that a parameter `sortBy` names; the site's own where it names none. */
export function sortByOf(parameter: string | undefined): SortBy {
  return sortOrders.find((order) => order === parameter) ?? 'TOP_COMMENTS';
}

/** What stands above the comments. */
export interface CommentsHeader extends CountMembers<'count'> {
  readonly sortOrders?: readonly SortOrder[];
}

/** A page of comments or replies. */
export interface CommentPage {
  readonly header?: CommentsHeader;
  /** Each comment once. Tokens in them are still the site's own. */
  readonly threads: readonly Comment[];
  /** The site's token of the next page; absent on the last one. */
  readonly continuation?: string;
  /** What the site says in place of comments, such as "Comments are turned off." */
  readonly messages: readonly string[];
  /** Occurrences of each unknown kind, by its key. */
  readonly unknownKinds: Readonly<Record<string, number>>;
}
