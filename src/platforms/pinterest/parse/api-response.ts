import { MillraceError } from '../../../contract/errors.ts';
import { plainText } from '../../../parsing/plain-text.ts';
import { count, type Fields, fields, isFields, text } from '../../../parsing/values.ts';
import type { SourceResponse } from '../../platform.ts';
import { parseSiteJson } from '../../reading.ts';
import { parseSiteUrl } from '../../site-urls.ts';
import { unreadResponse } from '../../unread.ts';
import { isSiteHost, recognise } from '../links.ts';
import { pinInPage } from './page-data.ts';
import { lastSegment, pinInMeta } from './page-meta.ts';

/**
 * Reads a response of the JSON interface.
 *
 * @throws MillraceError `not_found`, `signin_required`; `non_2xx_response` for a refusal or a page of another kind;
 * `unexpected_redirect` for a response from another site; `invalid_response_data` for truncated data.
 * UnreadResponseError for complete data without a pin.
 */
export function readResource(response: SourceResponse): Fields {
  checkPlace(response);
  const body = parseSiteJson(response.text);
  const { data, ...details } = fields(fields(body).resource_response);
  if (isSuccess(response.status) && isFields(data) && text(data.id) !== undefined) return data;
  const words = text(details.message) ?? text(fields(details.error).message);
  const reason = words === undefined ? {} : { reason: plainText(words, 300) };
  const status = isSuccess(response.status) ? (count(details.http_status) ?? response.status) : response.status;
  // Only a JSON response of the interface counts. A page instead of JSON means a sign-in wall, or that the interface
  // has moved.
  if (isFields(body)) {
    if (status === 404 || status === 410) throw new MillraceError('not_found', 'No such pin exists.', reason);
    if (status === 401 || status === 403) throw signinRequired(reason);
  }
  if (!isSuccess(status)) throw statusError(status, reason);
  throw withoutPin(response, isFields(data) ? 'pin' : 'PinResource');
}

/**
 * Reads the page of a pin. Returns undefined if it is the right page but its data is missing.
 *
 * @throws MillraceError `not_found`, `signin_required`, `unexpected_redirect`, or `non_2xx_response` for a page of
 * another kind. UnreadResponseError for a page whose data about the pin cannot be read.
 */
export function readPage(response: SourceResponse, pinId: string): Fields | undefined {
  checkPlace(response);
  const reference = recognise(response.url);
  const ids = reference !== null && 'id' in reference ? [pinId, reference.id] : [pinId];
  const result = pinInPage(response.text, ids);
  if (result !== undefined && 'gone' in result) {
    throw new MillraceError('not_found', 'No such pin exists, or it is not public.', { reason: 'PinNotFound' });
  }
  if (result !== undefined && isSuccess(response.status)) {
    if ('pin' in result) return result.pin;
    throw unreadResponse('Pinterest returned the pin', result.unread);
  }
  if (response.status === 404 || response.status === 410) throw new MillraceError('not_found', 'No such pin exists.');
  if (response.status === 401) throw signinRequired();
  if (!isSuccess(response.status)) throw statusError(response.status);
  return undefined;
}

/** Reads the head of a page that lacks its data. */
export function readMeta({ url, text: html }: SourceResponse, pinId: string): Fields | undefined {
  return recognise(url) === null ? undefined : pinInMeta(html, pinId);
}

/**
 * Reads an oEmbed response, which has a title, the author's name and a small image, in the format of the JSON
 * interface.
 *
 * @throws MillraceError the errors of {@link readResource}.
 */
export function readOembed(response: SourceResponse, pinId: string): Fields {
  checkPlace(response);
  const json = parseSiteJson(response.text);
  const body = fields(json);
  // Only a JSON response is about the pin. A page with this status means that the interface has moved.
  if (isFields(json) && (response.status === 404 || response.status === 410)) {
    throw new MillraceError('not_found', 'No such pin exists.');
  }
  if (!isSuccess(response.status)) throw statusError(response.status);
  const url = text(body.thumbnail_url);
  if (url === undefined) {
    throw withoutPin(response, 'oembed');
  }
  return {
    id: pinId,
    title: body.title,
    pinner: { full_name: body.author_name, username: lastSegment(body.author_url) },
    images: { '236x': { url, width: count(body.thumbnail_width), height: count(body.thumbnail_height) } },
  };
}

/**
 * Returns the ID of the pin that a short link leads to.
 *
 * @throws MillraceError `not_found` if the link does not lead to a pin, `non_2xx_response` if the response does not
 * state its target.
 */
export function readShortLink({ status, headers, url }: SourceResponse): string {
  const target = parseSiteUrl(String(headers.location ?? ''), url);
  const reference = target === null ? null : recognise(target.href);
  if (reference !== null && 'id' in reference) return reference.id;
  if (status === 429 || status === 403 || status >= 500) throw statusError(status);
  throw new MillraceError('not_found', 'The short link does not lead to a pin.');
}

/** Returns the error for a response without the pin. Only a complete one shows that the site has changed. */
function withoutPin({ text: body }: SourceResponse, kind: string): MillraceError {
  const isPage = /<\/html>\s{0,100}$/.test(body);
  if (!isPage && parseSiteJson(body) === undefined) {
    return new MillraceError('invalid_response_data', 'The site returned data without a pin. Try again.');
  }
  return unreadResponse('Pinterest returned the pin', { [isPage ? 'page' : kind]: 1 });
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/**
 * Rejects a response from an address other than the requested one. The site redirects a visitor who must sign in to
 * another page, with status 200. A response from another site contains no information about the pin.
 */
function checkPlace({ url }: SourceResponse): void {
  const { hostname = '', pathname = '' } = parseSiteUrl(url) ?? {};
  if (!isSiteHost(hostname)) {
    const message = `The site redirected the request to another host, ${hostname.slice(0, 80)}. Try again.`;
    throw new MillraceError('unexpected_redirect', message);
  }
  if (/^\/(?:login|signup)(?:\/|$)/.test(pathname)) throw signinRequired();
}

function signinRequired(reason: { readonly reason?: string } = {}): MillraceError {
  return new MillraceError('signin_required', 'The site requires a signed-in user for this pin.', reason);
}

function statusError(status: number, reason: { readonly reason?: string } = {}): MillraceError {
  return new MillraceError(
    'non_2xx_response',
    `The site returned status ${status} without a pin. Try again in a moment.`,
    reason,
  );
}
