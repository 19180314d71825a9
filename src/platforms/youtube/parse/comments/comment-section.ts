import { MillraceError } from '../../../../contract/errors.ts';
import { dig, list } from '../../../../parsing/values.ts';
import { readList } from '../item-list.ts';
import { readText } from '../text.ts';

/**
 * What the page of a video says in place of its comments, such as "Comments are turned off."; none where it says
 * nothing.
 *
 * @throws MillraceError `not_found` for a video that is not there; `invalid_response_data` for a page that is no
 *   video's, and for one that has comments.
 */
export function readCommentSectionMessages(response: unknown): readonly string[] {
  const contents = list(dig(response, 'contents', 'twoColumnWatchNextResults', 'results', 'results', 'contents'));
  const sections = contents.map((entry) => dig(entry, 'itemSectionRenderer'));
  const section = sections.find((one) => dig(one, 'sectionIdentifier') === 'comment-item-section');
  if (section === undefined) {
    const promo = sections.map((one) => dig(one, 'contents', 0, 'backgroundPromoRenderer')).find((one) => one);
    if (promo !== undefined) throw videoNotFoundError(readText(dig(promo, 'title')));
    if (contents.some((entry) => dig(entry, 'videoPrimaryInfoRenderer') !== undefined)) return [];
    throw new MillraceError('invalid_response_data', 'YouTube answered with no video. Try again.');
  }
  const { messages, continuation } = readList(section);
  if (continuation === undefined) return messages;
  throw new MillraceError(
    'invalid_response_data',
    'YouTube answered with no comments where there are some. Try again.',
  );
}

function videoNotFoundError(reason: string | undefined): MillraceError {
  return new MillraceError('not_found', 'YouTube has no video under this id.', reason === undefined ? {} : { reason });
}
