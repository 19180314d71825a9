import { MillraceError } from '../../../contract/errors.ts';
import { trimTrailing } from '../../../contract/trim-trailing.ts';
import { addressOf, type FacebookLink, isSiteHost, recognise } from '../links.ts';

/** Maximum length of a text that is searched for a link. */
const MAX_TEXT = 10_000;

/** Patterns of links in a text: a URL of any site, or a URL of this site without `https://`. */
const linksInText = [
  /https?:\/\/[^\s<>"']+/i,
  /\b(?:\w+(?:-\w+)?\.)?facebook\.com\/[^\s<>"']+/i,
  /\bfb\.(?:com|watch|me)\/[^\s<>"']+/i,
];

/**
 * Finds the first link in a text and returns its meaning.
 *
 * @throws MillraceError `invalid_url` if the text has no link or its link is one that no endpoint reads,
 * `invalid_platform_url` for a link of another platform.
 */
export function readLink(text: string): FacebookLink {
  const first = firstLink(text.slice(0, MAX_TEXT));
  const url = first === undefined ? null : addressOf(trimTrailing(first, '),.;:!?]}'));
  if (url === null) {
    throw new MillraceError('invalid_url', 'url must be or contain a link such as https://www.facebook.com/reel/123.', {
      parameter: 'url',
    });
  }
  if (!isSiteHost(url.hostname)) {
    throw new MillraceError('invalid_platform_url', `url leads to ${url.hostname}, which is not Facebook.`, {
      parameter: 'url',
    });
  }
  const link = recognise(url.href);
  if (link !== null) return link;
  throw new MillraceError('invalid_url', 'url must lead to a Facebook post, photo, video, reel, profile or page.', {
    parameter: 'url',
  });
}

function firstLink(text: string): string | undefined {
  const matches = linksInText.map((pattern) => pattern.exec(text)).filter((match) => match !== null);
  return matches.sort((a, b) => a.index - b.index)[0]?.[0];
}
