import type { Picture } from '../../../parsing/picture.ts';
import type { UnreadKinds } from '../../unread.ts';

/** An account that is part of another object. */
export interface Account {
  /** The account's classic ID, never its `fbid`. */
  readonly id?: string;
  readonly username?: string;
  readonly name?: string;
  readonly verified?: boolean;
  readonly private?: boolean;
  readonly picture?: string;
  readonly followerCount?: number;
}

/** A progressive file of a video. */
export interface VideoFile extends Partial<Pick<Picture, 'width' | 'height'>> {
  readonly url: string;
  readonly id?: string;
  readonly bitrate?: number;
}

/** One image or video of a post. */
export interface PostMedia {
  readonly id?: string;
  readonly isVideo: boolean;
  readonly width?: number;
  readonly height?: number;
  /** Seconds. */
  readonly duration?: number;
  readonly hasAudio: boolean;
  readonly videos: readonly VideoFile[];
  /** A DASH manifest. */
  readonly manifest?: string;
  readonly images: readonly Picture[];
  readonly alt?: string;
  readonly taggedUsers: readonly Account[];
  /** Files that could not be read, beside those that could. */
  readonly unread: UnreadKinds;
}

/** A comment in the contract's format. */
export interface Comment {
  readonly type: 'comment';
  readonly id: string;
  readonly author: Record<string, unknown>;
  readonly text: string;
  readonly publishedAt?: string;
  readonly likeCount?: number;
  readonly replyCount?: number;
}

/** A post, read from any of the site's formats. */
export interface Post {
  readonly id: string;
  readonly code: string;
  readonly kind: 'image' | 'video' | 'carousel';
  /** `clips`, `feed`, `carousel_container`, `igtv`. */
  readonly productType?: string;
  readonly caption?: string;
  /** Seconds since 1970. */
  readonly takenAt?: number;
  readonly author: Account;
  readonly coauthors: readonly Account[];
  readonly likeCount?: number;
  readonly commentCount?: number;
  readonly playCount?: number;
  readonly viewCount?: number;
  readonly countsHidden?: boolean;
  readonly paidPartnership?: boolean;
  readonly location?: Record<string, unknown>;
  readonly music?: Record<string, unknown>;
  readonly comments?: readonly Comment[];
  /** Empty if none of the post's images and videos could be read. */
  readonly media: readonly PostMedia[];
  /** Images, videos, their files, and comments that could not be read. */
  readonly unread: UnreadKinds;
}
