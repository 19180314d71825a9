import type { ContentMetadata } from '../../../contract/envelope.ts';
import { hashtagsIn, mentionsIn } from '../../../parsing/text-entities.ts';
import { defined, isoTime, unlessEmpty } from '../../../parsing/values.ts';
import { presentAccount } from './account.ts';
import type { Post } from './post.ts';

/** The strategy of the fallback chain that succeeded. */
export type PostSource = 'page' | 'graphql' | 'clips' | 'shortcode' | 'embed';

/** Returns the metadata of a post: everything except its files. */
export function postMetadata(post: Post, source: PostSource, thumbnailUrl: string | undefined): ContentMetadata {
  return defined({
    title: post.caption,
    thumbnailUrl,
    author: presentAccount(post.author),
    comments: commentsOf(post),
    additionalData: { ...postFacts(post), source },
  });
}

/** Returns the properties of the post itself, which responses that list posts also contain. */
export function postFacts(post: Post) {
  const first = post.media[0];
  const statistics = defined({
    likeCount: post.likeCount,
    commentCount: post.commentCount,
    playCount: post.playCount,
    viewCount: post.viewCount,
  });
  const taggedUsers = new Map(
    post.media.flatMap((media) => media.taggedUsers).map((user) => [user.username ?? user.id, user]),
  );
  return defined({
    id: post.id,
    shortcode: post.code,
    type: post.productType === 'clips' ? 'reel' : post.kind,
    productType: post.productType,
    url: `https://www.instagram.com/${post.productType === 'clips' ? 'reel' : 'p'}/${encodeURIComponent(post.code)}/`,
    caption: post.caption,
    hashtags: unlessEmpty(hashtagsIn(post.caption ?? '')),
    mentions: unlessEmpty(mentionsIn(post.caption ?? '')),
    createdAt: isoTime(post.takenAt),
    createdTime: post.takenAt,
    duration: post.kind === 'video' ? first?.duration : undefined,
    accessibilityCaption: post.kind === 'carousel' ? undefined : first?.alt,
    statistics: Object.keys(statistics).length > 0 ? statistics : undefined,
    countsHidden: post.countsHidden,
    paidPartnership: post.paidPartnership,
    location: post.location,
    music: post.music,
    taggedUsers: unlessEmpty([...taggedUsers.values()].map(presentAccount)),
    coauthors: unlessEmpty(post.coauthors.map(presentAccount)),
  });
}

function commentsOf({ comments, commentCount }: Post): Record<string, unknown> | undefined {
  if (comments === undefined) return undefined;
  return { header: defined({ count: commentCount }), threads: comments, nextToken: null };
}
