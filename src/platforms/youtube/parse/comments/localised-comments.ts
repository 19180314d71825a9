import type { LocalisedResponse } from '../localised-response.ts';
import type { CommentPage } from './comment.ts';
import { readCommentPage, requireCommentPage } from './comment-page.ts';

/**
 * Reads a first page of comments, with the names of the sort orders and the site's messages in the caller's language.
 * Comments are in their authors' languages. Counts and dates come from the English response, because only English is
 * parsed.
 *
 * @throws UnreadResponseError as `requireCommentPage`.
 */
export function readLocalisedComments({ response, translation }: LocalisedResponse): CommentPage | undefined {
  const page = requireCommentPage(response);
  if (page === undefined || translation === undefined) return page;
  const { header, messages } = readCommentPage(translation);
  return {
    ...page,
    ...(page.header === undefined || header?.sortOrders === undefined
      ? {}
      : { header: { ...page.header, sortOrders: header.sortOrders } }),
    messages: messages.length === page.messages.length ? messages : page.messages,
  };
}
