import type { Issue, ItemRefusal, Links } from '../../../links/links.ts';
import { nextTitle } from '../../../media/titles.ts';
import type { Post } from './posts.ts';

const statuses: Readonly<Record<ItemRefusal, NonNullable<Post['status']>>> = {
  removed: [10_204, 'status_deleted'],
  private: [10_216, 'private post'],
  age_restricted: [10_204, 'content_classification'],
};

/** Returns a post as the site shows it now: it may have been removed or hidden. */
export function currentPost(post: Post, links: Links): Post {
  const refusal = links.refusalOf('p4', post.id);
  return refusal === undefined ? post : { ...post, status: statuses[refusal] };
}

/** Returns the post whose files the links of an issue lead to. */
export function issuedPost(post: Post, issue: Issue | undefined): Post {
  return issue?.isResized ? { ...post, media: nextTitle(post.media) } : post;
}
