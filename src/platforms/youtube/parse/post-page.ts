import { MillraceError } from '../../../contract/errors.ts';
import type { PostItem } from './items/list-item.ts';
import { readLocalisedPage } from './localised-page.ts';
import type { LocalisedResponse } from './localised-response.ts';

/** A post's own page. */
export interface PostPage {
  readonly post: PostItem;
  /** What the site says in place of comments. */
  readonly messages: readonly string[];
}

/**
 * Reads the response to `FEpost_detail`.
 *
 * @throws MillraceError `not_found` where the page does not show the post.
 */
export function readPostPage(localisedResponse: LocalisedResponse, id: string): PostPage {
  const { items, messages } = readLocalisedPage(localisedResponse);
  const post = items.find((item) => item.type === 'post' && item.id === id);
  if (post?.type === 'post') return { post, messages };
  const [reason] = messages;
  throw new MillraceError('not_found', 'YouTube has no post under this id in this channel.', {
    ...(reason === undefined ? {} : { reason }),
  });
}
