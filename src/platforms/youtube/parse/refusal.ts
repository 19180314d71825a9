import { type ErrorCode, MillraceError } from '../../../contract/errors.ts';
import { dig, type Fields, list } from '../../../parsing/values.ts';
import { readText } from './text.ts';

/** Meanings of alert texts; the first match counts. English only. */
const alertPatterns: readonly (readonly [RegExp, ErrorCode, string])[] = [
  [/does not exist|not found|isn't available|unviewable/i, 'not_found', 'YouTube has nothing with this ID.'],
  [/terminated|removed|violat|suspended|copyright|closed/i, 'not_found', 'This content was removed from YouTube.'],
  [/private/i, 'unavailable', 'This content is private.'],
  [/sign in/i, 'signin_required', 'YouTube requires a signed-in user for this content.'],
];

/**
 * Returns the site's refusal in a response with status 200 to browse, search or next: an error alert instead of
 * contents, or an age gate. Alerts of other types (such as hidden videos) are harmless. A player's refusal is in its
 * own status.
 */
export function findRefusal(response: Fields): MillraceError | undefined {
  if (response.contents === undefined) {
    for (const entry of list(response.alerts)) {
      const alert = dig(entry, 'alertRenderer');
      if (dig(alert, 'type') === 'ERROR') return alertError(readText(dig(alert, 'text')) ?? '');
    }
  }
  return isAgeGated(response) ? ageGateError() : undefined;
}

/** Returns the harmless alerts of a response, such as "Unavailable videos are hidden". */
export function readNotices({ alerts }: Fields): readonly string[] {
  return list(alerts).flatMap((entry) => {
    const alert = dig(entry, 'alertRenderer') ?? dig(entry, 'alertWithButtonRenderer');
    return dig(alert, 'type') === 'ERROR' ? [] : (readText(dig(alert, 'text')) ?? []);
  });
}

function alertError(reason: string): MillraceError {
  const [, code, message] = alertPatterns.find(([words]) => words.test(reason)) ?? [
    undefined,
    'unavailable' as const,
    'YouTube does not make this content available.',
  ];
  return new MillraceError(code, message, reason === '' ? {} : { reason: reason.slice(0, 500) });
}

/** Returns whether a channel has an age gate instead of its tab's contents (seen 2026-07). */
function isAgeGated({ contents }: Fields): boolean {
  return list(dig(contents, 'twoColumnBrowseResultsRenderer', 'tabs')).some(
    (tab) =>
      dig(tab, 'tabRenderer', 'content', 'sectionListRenderer', 'contents', 0, 'channelAgeGateRenderer') !== undefined,
  );
}

function ageGateError(): MillraceError {
  return new MillraceError('age_restricted', 'YouTube shows this channel only to signed-in adults.');
}
