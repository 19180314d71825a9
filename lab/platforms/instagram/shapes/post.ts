import { findAccount } from '../world/accounts.ts';
import type { Part, Post } from '../world/posts.ts';
import { accountNode, type Node } from './accounts.ts';

/** Returns the number of a kind of media: 1 image, 2 video, 8 carousel. */
export function mediaType(kind: Part['kind'] | Post['kind']): number {
  return { photo: 1, video: 2, reel: 2, carousel: 8 }[kind];
}

/** Returns `clips` for reels, `feed` or `carousel_container`. */
export function productType(kind: Post['kind']): string {
  return kind === 'reel' ? 'clips' : kind === 'carousel' ? 'carousel_container' : 'feed';
}

/** Location of posts. */
export const place = { pk: 213_491_581, name: 'Lab, Loopback', lat: 53.9, lng: -122.7 };

/** Returns the other people of a post with a second author: that author, and a tagged person. */
export function company(post: Post): readonly Node[] {
  const friend = findAccount('lab.friend');
  return post.scenario.company && friend !== undefined ? [accountNode(friend)] : [];
}

/** Returns the members that the shapes of pages for visitors and of the app have in common. */
export function commonMembers(post: Post): Node {
  const friends = company(post);
  return {
    pk: post.pk,
    code: post.code,
    taken_at: post.takenAt,
    media_type: mediaType(post.kind),
    product_type: productType(post.kind),
    caption: { pk: `${BigInt(post.pk) / 7n}`, has_translation: null, text: post.caption, created_at: post.takenAt - 2 },
    caption_is_edited: false,
    coauthor_producers: friends,
    location: post.scenario.company ? place : null,
    // If the number is hidden, the site sends a meaningless one here.
    like_count: post.scenario.countsHidden ? 3 : post.likes,
    like_and_view_counts_disabled: post.scenario.countsHidden === true,
    comment_count: post.comments,
    original_height: post.parts[0]?.size.height,
    original_width: post.parts[0]?.size.width,
  };
}

/** Returns the members of an image or video that pages for visitors and the app have in common. */
export function partMembers(part: Part, friends: readonly Node[]): Node {
  return {
    accessibility_caption: `${part.kind === 'video' ? 'Video' : 'Photo'} by the lab, ${part.code}. May be of bars.`,
    usertags: friends.length === 0 ? null : { in: friends.map((user) => ({ position: [0, 0], user })) },
  };
}

/** Returns the comments as in pages for visitors and in the app. */
export function commentNodes(post: Post, typename: string): readonly Node[] {
  return Array.from({ length: 15 }, (_, place) => {
    const author = findAccount(`lab.reader${place}`);
    return {
      __typename: typename,
      pk: `${18_000_000_000_000_000n + BigInt(place)}`,
      text: `Comment ${place} on ${post.code} 👏`,
      created_at: post.takenAt + place,
      comment_like_count: place,
      child_comment_count: null,
      parent_comment_id: null,
      ...(author === undefined ? {} : { user: accountNode(author) }),
    };
  });
}
