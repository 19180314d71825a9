import { parseUrl } from '../contract/parse-url.ts';

/**
 * Request headers together with the origin (scheme, host and port) that they were given for. {@link Egress.exchange}
 * takes this type, so every request states the origin of its headers. Derived requests such as redirects, playlist
 * members and keys inherit that origin.
 */
export interface BoundHeaders {
  readonly origin: string;
  /** Values by lower-case name. */
  readonly values: Readonly<Record<string, string>>;
}

/** Headers that a caller or a site may set and that any origin may see. Their values are sent as given. */
const publicHeaders = new Set(['user-agent', 'referer', 'origin', 'accept', 'accept-language', 'range']);

/**
 * Headers that any origin may see if their value is one of a few fixed words, which leaves no room for a token. They
 * are content negotiation (RFC 9110 §12.5.3), Fetch Metadata (https://www.w3.org/TR/fetch-metadata/) and Upgrade
 * Insecure Requests. Some sites refuse a page request that lacks them after a redirect.
 */
const fixedHeaders: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['accept-encoding', new Set(['identity', 'gzip, deflate, br'])],
  ['sec-fetch-dest', new Set(['audio', 'document', 'empty', 'iframe', 'image', 'video'])],
  ['sec-fetch-mode', new Set(['cors', 'navigate', 'no-cors', 'same-origin'])],
  ['sec-fetch-site', new Set(['cross-site', 'none', 'same-origin', 'same-site'])],
  ['sec-fetch-user', new Set(['?1'])],
  ['upgrade-insecure-requests', new Set(['1'])],
]);

const bodyHeaders = new Set(['content-encoding', 'content-language', 'content-location', 'content-type']);

/** Binds headers to the origin of the URL that they were given for. */
export function bindHeaders(url: string, headers: Readonly<Record<string, string>>): BoundHeaders {
  const values = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  // An invalid URL has no origin; the request for it is refused.
  return { origin: parseUrl(url)?.origin ?? '', values: Object.fromEntries(values) };
}

/** Returns the same headers with others added or replaced, bound to the same origin. */
export function withHeaders(headers: BoundHeaders, more: Readonly<Record<string, string>>): BoundHeaders {
  return { ...headers, values: { ...headers.values, ...more } };
}

/** Returns the same headers without those that describe a body (Fetch §2.2.2, request-body-header name). */
export function withoutBodyHeaders(headers: BoundHeaders): BoundHeaders {
  const values = Object.entries(headers.values).filter(([name]) => !bodyHeaders.has(name));
  return { ...headers, values: Object.fromEntries(values) };
}

/**
 * Returns the headers that may be sent to a URL. Cookies, authorization and every unknown header go only to the origin
 * that they were given for.
 *
 * Referer is sent as given. Browsers would shorten it to its origin (`strict-origin-when-cross-origin`), but here the
 * caller or site chose the value, and many CDNs check it.
 */
export function headersFor(url: URL, headers: BoundHeaders): Record<string, string> {
  if (url.origin === headers.origin) return { ...headers.values };
  const visible = ([name, value]: [string, string]) => publicHeaders.has(name) || fixedHeaders.get(name)?.has(value);
  return Object.fromEntries(Object.entries(headers.values).filter(visible));
}
