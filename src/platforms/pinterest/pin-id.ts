import { MillraceError } from '../../contract/errors.ts';

/** What stands for a pin: its number, or the code of a short link, which leads to it. */
export type PinReference = { readonly id: string } | { readonly shortCode: string };

/** A pin by number (15 to 20 digits are usual, older ones have fewer), or a link. */
export const pinIdPattern = '^(?:[0-9]{5,25}|[hH][tT][tT][pP][sS]?://.+)$';

const wholeId = /^\d{5,25}$/;

/** Whether a text is the number of a pin. */
export function isPinId(text: string): boolean {
  return wholeId.test(text);
}

/** Whether a host is one of the site's, which has a domain in about forty countries and languages as subdomains. */
export function isSiteHost(host: string): boolean {
  return host.length < 80 && /^(?:[a-z0-9-]+\.){0,3}pinterest\.(?:com|info|[a-z]{2})(?:\.[a-z]{2})?$/.test(host);
}

/** What a link of the site means, in any of the forms the site has used; null for any other link. */
export function recognise(link: string): PinReference | null {
  const url = URL.parse(link);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  if (isShortHost(url.hostname)) {
    const shortCode = /^\/([A-Za-z0-9]{1,40})\/?$/.exec(url.pathname)?.[1];
    return shortCode === undefined ? null : { shortCode };
  }
  if (!isSiteHost(url.hostname)) return null;
  const shortCode = /^\/url_shortener\/([A-Za-z0-9]{1,40})\/redirect\/?$/.exec(url.pathname)?.[1];
  if (shortCode !== undefined) return { shortCode };
  // A title for people may stand before the number: /pin/a-title--123/.
  const id = /^\/(?:amp\/)?pin\/(?:[^/]*--)?(\d{5,25})(?:\/|$)/.exec(url.pathname)?.[1];
  return id === undefined ? null : { id };
}

/**
 * What a caller's `pinId` means.
 *
 * @throws MillraceError `invalid_params` for what is neither number nor link, `invalid_platform_url` for a link of
 *   another platform, `invalid_url` for one of this platform that names no pin by number.
 */
export function pinReference(value: string): PinReference {
  if (isPinId(value)) return { id: value };
  const url = /^https?:\/\//i.test(value) ? URL.parse(value) : null;
  if (url === null) throw fault('invalid_params', 'pinId must be the number of a pin, such as 31454897393552949.');
  const reference = recognise(value);
  if (reference !== null) return reference;
  if (isSiteHost(url.hostname) || isShortHost(url.hostname)) {
    // Links with letters in place of the number exist since 2026. The page behind one may name another pin as its own
    // (recorded 2024-10), so that only the number says which one is meant.
    throw fault(
      'invalid_url',
      'The link in pinId names no pin by its number. Send one with the number, or the number itself.',
    );
  }
  throw fault(
    'invalid_platform_url',
    `The link in pinId is of ${url.hostname.slice(0, 80)}, which is another platform.`,
  );
}

function isShortHost(host: string): boolean {
  return host === 'pin.it' || host === 'www.pin.it';
}

function fault(code: 'invalid_params' | 'invalid_url' | 'invalid_platform_url', message: string): MillraceError {
  return new MillraceError(code, message, { parameter: 'pinId' });
}
