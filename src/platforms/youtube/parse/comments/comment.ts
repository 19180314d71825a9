/**
 * Formats of comments under videos and posts. `type` and `id` are always present. Every other member is present only if
 * the site provides it, and booleans only if they are true.
 */

import type { Subjects } from '../../../../contract/subjects.ts';
import type { CountMembers } from '../../../../parsing/numbers.ts';
import type { Picture } from '../../../../parsing/picture.ts';
import type { UnreadKinds } from '../../../unread.ts';
import type { ChannelRef } from '../items/list-item.ts';
import type { TextRun } from '../text.ts';

/** The author of a comment. A deleted account only has a name. */
export interface CommentAuthor extends Partial<ChannelRef> {
  /** Whether the author created the video or post. */
  readonly isCreator?: boolean;
  /** Whether the site marks the channel as an artist's. */
  readonly isArtist?: boolean;
  /** The badge of a paying channel member. */
  readonly sponsor?: SponsorBadge;
}

/** The badge of a paying channel member, such as "Member (8 months)". */
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
  /** The text in parts, with their links and the images of emoji. */
  readonly runs?: readonly TextRun[];
  /** The site's own text, such as "2 years ago (edited)". */
  readonly publishedText?: string;
  readonly edited?: boolean;
  readonly pinned?: boolean;
  /** The site's own text, such as "Pinned by @name". */
  readonly pinnedText?: string;
  /** Whether the creator gave it a heart. */
  readonly hearted?: boolean;
  /** Whether the creator wrote it. */
  readonly byCreator?: boolean;
  /** Whether the creator is among those who replied. */
  readonly creatorReplied?: boolean;
  /** Replies included in the response; `repliesToken` leads to the others. */
  readonly replies?: readonly Comment[];
  /** The page token of its replies: send it as `nextToken` to the same endpoint, with the same other parameters. */
  readonly repliesToken?: string;
}

/** An available sort order of comments. */
export interface SortOrder {
  /** The value of the `sortBy` parameter; absent for an order that is not in the contract. */
  readonly sortBy?: SortBy;
  /** The site's own name for it. */
  readonly title?: string;
  readonly selected: boolean;
}

/** The contract's sort orders, listed as in the site's menu. */
export const sortOrders = ['TOP_COMMENTS', 'NEWEST_FIRST'] as const;

/** A name of {@link sortOrders}. */
export type SortBy = (typeof sortOrders)[number];

/** Returns the order of a `sortBy` parameter, or the site's default. */
export function sortByOf(parameter: string | undefined): SortBy {
  return sortOrders.find((order) => order === parameter) ?? 'TOP_COMMENTS';
}

/** The header above the comments. */
export interface CommentsHeader extends CountMembers<'count'> {
  readonly sortOrders?: readonly SortOrder[];
}

/** A page of comments or replies. */
export interface CommentPage {
  readonly header?: CommentsHeader;
  /** Each comment once. The comments' tokens are still the site's own. */
  readonly threads: readonly Comment[];
  /** The site's token of the next page; absent on the last page. */
  readonly continuation?: string;
  /** The channel of the video or post, if another page that was requested before this one states it. */
  readonly subjects?: Subjects;
  /** Messages that the site displays instead of comments, such as "Comments are turned off." */
  readonly messages: readonly string[];
  /** Entries that no parser recognised. */
  readonly unread: UnreadKinds;
}
