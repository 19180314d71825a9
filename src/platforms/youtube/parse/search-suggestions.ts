import { MillraceError } from '../../../contract/errors.ts';
import { dig, list, text } from '../../../parsing/values.ts';
import { parseSiteJson } from '../../reading.ts';
import { type UnreadKinds, unreadResponse } from '../../unread.ts';
import { notJsonError } from './json-response.ts';

const MAX_SUGGESTIONS = 100;

/** The suggestions in a response, and the number of entries that no parser recognised. */
interface Suggestions {
  readonly suggestions: readonly string[];
  readonly unread: UnreadKinds;
}

/**
 * Reads `[query, [[suggestion, …], …], {…}]`, which may be wrapped in a JSONP call.
 *
 * @throws MillraceError `non_2xx_response` for a status other than 2xx, an empty body or an HTML page;
 * `invalid_response_data` for anything else.
 */
export function parseSuggestions(body: string, status: number): Suggestions {
  if (status < 200 || status > 299) {
    throw new MillraceError('non_2xx_response', `YouTube returned status ${status}. Try again in a moment.`);
  }
  const start = body.indexOf('[');
  const end = body.lastIndexOf(']');
  const response = start < 0 || end < start ? undefined : parseSiteJson(body.slice(start, end + 1));
  if (body.trim() === '' || /^\s*</.test(body)) throw notJsonError(body);
  const entries = dig(response, 1);
  const listed = list(entries).slice(0, MAX_SUGGESTIONS);
  const suggestions = listed.flatMap((entry) => text(Array.isArray(entry) ? entry[0] : entry) ?? []);
  const unread = listed.length - suggestions.length;
  if (!Array.isArray(entries) || (unread > 0 && suggestions.length === 0)) {
    throw unreadResponse('YouTube returned the suggestions', { suggestion: unread || 1 });
  }
  return { suggestions, unread: unread > 0 ? { suggestion: unread } : {} };
}
