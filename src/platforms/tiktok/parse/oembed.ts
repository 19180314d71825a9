import { MillraceError } from '../../../contract/errors.ts';
import type { SourceAnswer } from '../../platform.ts';
import { type Fields, fields, parseJson, text } from '../../values.ts';

/**
 * Reads what other sites may show of a post, as the members that its page would have: words, author and cover.
 *
 * @throws MillraceError `non_2xx_response` or `invalid_response_data`.
 */
export function readOembed({ status, text: json }: SourceAnswer, id: string): Fields {
  if (status < 200 || status > 299) {
    throw new MillraceError('non_2xx_response', `TikTok answered with status ${status}. Try again in a moment.`);
  }
  const answer = fields(parseJson(json));
  const { author_name: nickname, author_unique_id: uniqueId, thumbnail_url: cover } = answer;
  if (text(answer.embed_product_id) !== id || text(uniqueId) === undefined) {
    throw new MillraceError('invalid_response_data', 'TikTok answered with no description of the post. Try again.');
  }
  const photo = answer.embed_type === 'photo' ? { imagePost: {} } : {};
  return { id, desc: answer.title, author: { uniqueId, nickname }, video: { cover }, ...photo };
}
