import { MillraceError } from '../../../contract/errors.ts';
import type { PostItem } from './items/list-item.ts';
import { readLocalisedPage } from './localised-page.ts';
import type { LocalisedResponse } from './localised-response.ts';

/** A post's own page. */
export interface PostPage {
  readonly post: PostItem;
  /** Messages that the site displays instead of comments. */
  readonly messages: readonly string[];
}

/**
 * Reads the response to `FEpost_detail`.
 *
 * @throws MillraceError `not_found` if the page does not contain the post.
 */
export function readPostPage(localisedResponse: LocalisedResponse, id: string): PostPage {
  const { items, messages } = readLocalisedPage(localisedResponse);
  const post = items.find((item) => item.type === 'post' && item.id === id);
  if (post?.type === 'post') return { post, messages };
  const [reason] = messages;
  throw new MillraceError('not_found', 'YouTube has no post with this ID in this channel.', {
    ...(reason === undefined ? {} : { reason }),
  });
}
