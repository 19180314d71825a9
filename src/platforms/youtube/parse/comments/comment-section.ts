import { MillraceError } from '../../../../contract/errors.ts';
import { dig, list } from '../../../../parsing/values.ts';
import { unreadResponse } from '../../../unread.ts';
import { readList } from '../item-list.ts';
import { memberKinds } from '../member-kinds.ts';
import { readText } from '../text.ts';

/**
 * Returns the messages that a video's page displays instead of comments, such as "Comments are turned off.", or none.
 *
 * @throws MillraceError `not_found` for a video that does not exist; `invalid_response_data` for a response that is not
 * a video page or that has comments.
 */
export function readCommentSectionMessages(response: unknown): readonly string[] {
  const contents = list(dig(response, 'contents', 'twoColumnWatchNextResults', 'results', 'results', 'contents'));
  const sections = contents.map((entry) => dig(entry, 'itemSectionRenderer'));
  const section = sections.find((one) => dig(one, 'sectionIdentifier') === 'comment-item-section');
  if (section === undefined) {
    const promo = sections.map((one) => dig(one, 'contents', 0, 'backgroundPromoRenderer')).find((one) => one);
    if (promo !== undefined) throw videoNotFoundError(readText(dig(promo, 'title')));
    if (contents.some((entry) => dig(entry, 'videoPrimaryInfoRenderer') !== undefined)) return [];
    throw unreadResponse('YouTube returned the comments', memberKinds(dig(response, 'contents')));
  }
  const { messages, continuation } = readList(section);
  if (continuation === undefined) return messages;
  throw new MillraceError(
    'invalid_response_data',
    'YouTube returned no comments although the video has some. Try again.',
  );
}

function videoNotFoundError(reason: string | undefined): MillraceError {
  return new MillraceError('not_found', 'YouTube has no video with this ID.', reason === undefined ? {} : { reason });
}
