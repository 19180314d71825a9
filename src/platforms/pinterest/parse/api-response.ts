import { MillraceError } from '../../../contract/errors.ts';
import { plainText } from '../../../parsing/plain-text.ts';
import { count, type Fields, fields, isFields, parseJson, text } from '../../../parsing/values.ts';
import type { SourceResponse } from '../../platform.ts';
import { isSiteHost, recognise } from '../links.ts';
import { pinInPage } from './page-data.ts';
import { lastSegment, pinInMeta } from './page-meta.ts';

/**
 * Reads an answer of the JSON interface.
 *
 * @throws MillraceError `not_found`, `signin_required`, `non_2xx_response` for a refusal or a page of another kind,
 *   `unexpected_redirect` for an answer of another site, and `invalid_response_data` for data that break off or hold no
 *   pin.
 */
export function readResource(answer: SourceResponse): Fields {
  checkPlace(answer);
  const body = parseJson(answer.text);
  const { data, ...response } = fields(fields(body).resource_response);
  if (isSuccess(answer.status) && isFields(data) && text(data.id) !== undefined) return data;
  const words = text(response.message) ?? text(fields(response.error).message);
  const reason = words === undefined ? {} : { reason: plainText(words, 300) };
  const status = isSuccess(answer.status) ? (count(response.http_status) ?? answer.status) : answer.status;
  // Only the interface's own words count: a page in its stead is a wall, or the interface has moved.
  if (isFields(body)) {
    if (status === 404 || status === 410) throw new MillraceError('not_found', 'There is no such pin.', reason);
    if (status === 401 || status === 403) throw signinRequired(reason);
  }
  if (!isSuccess(status)) throw refused(status, reason);
  throw new MillraceError('invalid_response_data', 'The site answered with data that hold no pin. Try again.', reason);
}

/**
 * Reads the page of a pin; undefined where it is the right page, but its data are missing.
 *
 * @throws MillraceError `not_found`, `signin_required`, `unexpected_redirect`, or `non_2xx_response` for a page of
 *   another kind.
 */
export function readPage(answer: SourceResponse, pinId: string): Fields | undefined {
  checkPlace(answer);
  const there = recognise(answer.url);
  const ids = there !== null && 'id' in there ? [pinId, there.id] : [pinId];
  const result = pinInPage(answer.text, ids);
  if (result !== undefined && 'gone' in result) {
    throw new MillraceError('not_found', 'There is no such pin, or it is not public.', { reason: 'PinNotFound' });
  }
  if (result !== undefined && isSuccess(answer.status)) return result.pin;
  if (answer.status === 404 || answer.status === 410) throw new MillraceError('not_found', 'There is no such pin.');
  if (answer.status === 401) throw signinRequired();
  if (!isSuccess(answer.status)) throw refused(answer.status);
  return undefined;
}

/** Reads what a page without its data still tells in its head. */
export function readMeta({ url, text: html }: SourceResponse, pinId: string): Fields | undefined {
  const there = recognise(url);
  return there === null ? undefined : pinInMeta(html, pinId);
}

/**
 * Reads an oEmbed answer, which has a title, the author's name and a small picture, in the shape of the JSON interface.
 *
 * @throws MillraceError as {@link readResource}.
 */
export function readOembed(answer: SourceResponse, pinId: string): Fields {
  checkPlace(answer);
  const body = fields(parseJson(answer.text));
  if (answer.status === 404 || answer.status === 410) throw new MillraceError('not_found', 'There is no such pin.');
  if (!isSuccess(answer.status)) throw refused(answer.status);
  const url = text(body.thumbnail_url);
  if (url === undefined) {
    throw new MillraceError('invalid_response_data', 'The site answered with data that hold no picture. Try again.');
  }
  return {
    id: pinId,
    title: body.title,
    pinner: { full_name: body.author_name, username: lastSegment(body.author_url) },
    images: { '236x': { url, width: count(body.thumbnail_width), height: count(body.thumbnail_height) } },
  };
}

/**
 * The number of the pin that a short link leads to.
 *
 * @throws MillraceError `not_found` where it leads to none, `non_2xx_response` where the site does not say.
 */
export function readShortLink({ status, headers, url }: SourceResponse): string {
  const target = URL.parse(String(headers.location ?? ''), url);
  const reference = target === null ? null : recognise(target.href);
  if (reference !== null && 'id' in reference) return reference.id;
  if (status === 429 || status === 403 || status >= 500) throw refused(status);
  throw new MillraceError('not_found', 'The short link leads to no pin.');
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/**
 * Refuses what answers from another place than was asked. A visitor who is to sign in is sent to another page, which
 * answers 200; what another site says tells nothing of the pin.
 */
function checkPlace({ url }: SourceResponse): void {
  const { hostname = '', pathname = '' } = URL.parse(url) ?? {};
  if (!isSiteHost(hostname)) {
    const message = `The site sent us on to ${hostname.slice(0, 80)}, which is not a host of it. Try again.`;
    throw new MillraceError('unexpected_redirect', message);
  }
  if (/^\/(?:login|signup)(?:\/|$)/.test(pathname)) throw signinRequired();
}

function signinRequired(reason: { readonly reason?: string } = {}): MillraceError {
  return new MillraceError('signin_required', 'The site shows this pin to signed-in users only.', reason);
}

function refused(status: number, reason: { readonly reason?: string } = {}): MillraceError {
  return new MillraceError(
    'non_2xx_response',
    `The site answered with status ${status} and no pin. Try again in a moment.`,
    reason,
  );
}
