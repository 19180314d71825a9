import { MillraceError } from '../../../contract/errors.ts';
import { type UnreadKinds, unreadResponse } from '../../unread.ts';
import type { PostItem } from './items/list-item.ts';
import { readLocalisedPage } from './localised-page.ts';
import type { LocalisedResponse } from './localised-response.ts';

/** A post's own page. */
export interface PostPage {
  readonly post: PostItem;
  /** Messages that the site displays instead of comments. */
  readonly messages: readonly string[];
  /** Parts of the page that no parser recognised. */
  readonly unread: UnreadKinds;
}

/**
 * Reads the response to `FEpost_detail`.
 *
 * @throws UnreadResponseError if the page cannot be read.
 * @throws MillraceError `not_found` if the page does not contain the post.
 */
export function readPostPage(localisedResponse: LocalisedResponse, id: string): PostPage {
  const { items, messages, unread } = readLocalisedPage(localisedResponse);
  const post = items.find((item) => item.type === 'post' && item.id === id);
  if (post?.type === 'post') return { post, messages, unread };
  if (Object.keys(unread).length > 0) {
    throw unreadResponse('YouTube returned the post', unread);
  }
  const [reason] = messages;
  throw new MillraceError('not_found', 'YouTube has no post with this ID in this channel.', {
    ...(reason === undefined ? {} : { reason }),
  });
}
