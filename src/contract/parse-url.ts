/** Maximum length of a URL in characters, as written and after it is resolved. A line of a playlist can be as long. */
const MAX_LENGTH = 65_536;
/** Maximum length of a host with letters outside ASCII. A name has 253 characters after its conversion (RFC 1035). */
const MAX_HOST = 253;
/** Maximum length of one of its labels, the parts between the dots (RFC 1035 §2.3.4). */
const MAX_LABEL = 63;

/**
 * Matches a URL up to the end of its authority: user name, password, host and port. Only the schemes that the URL
 * Standard calls special have a host that is converted. All but `file` skip any number of slashes, and a backslash is a
 * slash (https://url.spec.whatwg.org/#url-parsing, 2026-11).
 */
const beforePath = /^[\0-\x20]*(?:(?:https?|wss?|ftp):[/\\]*|file:[/\\]{2}|[/\\]{2,})([^/\\?#]*)/i;

/** The characters that the parser removes wherever they are. */
const removed = /[\t\n\r]+/g;

/** Matches the characters of a host that make its conversion to ASCII necessary. */
const converted = /[^\0-\x24\x26-\x7f]/;

/** The dots between labels (UTS #46 §4). */
const dots = /[.\u3002\uff0e\uff61]/;

/**
 * Parses a URL, relative to a base if there is one. All code of the service uses this function: the time in which the
 * platform's parser converts a host of letters outside ASCII grows with the square of its length. A host of 16 kB took
 * 50 ms (Node 26.10.0, 2026-11).
 *
 * @returns null for an invalid URL, one of more than 65,536 characters, and one whose host is too long to convert.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  if (!isBounded(text) || (typeof base === 'string' && !isBounded(base)) || !URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  // Characters outside ASCII are longer once they are encoded.
  return url.href.length > MAX_LENGTH ? null : url;
}

/**
 * Parses a URL that is known to be valid: one that {@link parseUrl} has accepted, or an address of the service itself.
 *
 * @throws TypeError for any other text.
 */
export function validUrl(text: string, base?: string | URL): URL {
  const url = parseUrl(text, base);
  if (url === null) throw new TypeError('The text is not a valid URL.');
  return url;
}

function isBounded(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  const [, authority = ''] = beforePath.exec(text.replace(removed, '')) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  if (!converted.test(host)) return true;
  // An escape is one byte of a letter.
  const labels = host.replace(/%[\da-f]{2}/gi, '-').split(dots);
  return host.length <= MAX_HOST && labels.every((label) => label.length <= MAX_LABEL);
}
