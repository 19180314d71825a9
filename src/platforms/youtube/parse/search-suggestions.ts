import { MillraceError } from '../../../contract/errors.ts';
import { dig, list, parseJson, text } from '../../../parsing/values.ts';
import { notJsonError } from './json-response.ts';

const MAX_SUGGESTIONS = 100;

/**
 * Reads `[query, [[suggestion, …], …], {…}]`, which may be wrapped in a JSONP call.
 *
 * @throws MillraceError `non_2xx_response` for a status other than 2xx, an empty body or an HTML page;
 * `invalid_response_data` for anything else.
 */
export function parseSuggestions(body: string, status: number): readonly string[] {
  if (status < 200 || status > 299) {
    throw new MillraceError('non_2xx_response', `YouTube returned status ${status}. Try again in a moment.`);
  }
  const start = body.indexOf('[');
  const end = body.lastIndexOf(']');
  const response = start < 0 || end < start ? undefined : parseJson(body.slice(start, end + 1));
  if (body.trim() === '' || /^\s*</.test(body)) throw notJsonError(body);
  const entries = dig(response, 1);
  if (!Array.isArray(entries)) {
    throw new MillraceError('invalid_response_data', 'YouTube returned no list of suggestions. Try again.');
  }
  return list(entries)
    .slice(0, MAX_SUGGESTIONS)
    .flatMap((entry) => text(Array.isArray(entry) ? entry[0] : entry) ?? []);
}
