import { extname } from 'node:path';
import { MillraceError } from '../contract/errors.ts';
import { fileNameOf, relayedType } from '../contract/media-types.ts';
import { validUrl } from '../contract/parse-url.ts';
import type { ResponseHead } from '../egress/egress.ts';
import { safeName } from '../files/safe-name.ts';
import { inertFileHeaders } from '../http/inert-headers.ts';
import type { RelayOrder } from './relay-link.ts';
import { extentOf } from './source-extent.ts';

/** Status and headers of a relayed response. */
export interface RelayedHead {
  readonly status: 200 | 206 | 416;
  readonly headers: Readonly<Record<string, string>>;
}

const MAX_NAME_BYTES = 180;

/** Headers of the source that are forwarded, with patterns of their valid values. */
const forwardedHeaders: Readonly<Record<string, RegExp>> = {
  'accept-ranges': /^bytes$/,
  'content-encoding': /^(?:gzip|br|deflate|zstd)$/,
  'content-length': /^\d{1,15}$/,
  'content-range': /^bytes (?:\d{1,15}-\d{1,15}|\*)\/(?:\d{1,15}|\*)$/,
  etag: /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/,
  'last-modified': /^[\w ,:+-]{1,40}$/,
};

/**
 * Returns the status and headers for the caller.
 *
 * @param isRangeRequest Whether a range was requested.
 * @throws MillraceError as {@link checkStatus}; `invalid_response_data` if it is not media, or not the requested range.
 */
export function relayedHead(
  head: ResponseHead,
  order: RelayOrder,
  isRangeRequest: boolean,
  now = Date.now(),
): RelayedHead {
  const headers = Object.fromEntries(
    Object.entries(forwardedHeaders).flatMap(([name, shape]) => {
      const value = head.headers[name];
      return typeof value === 'string' && shape.test(value) ? [[name, value]] : [];
    }),
  );
  if (head.status === 416 && isRangeRequest) {
    return { status: 416, headers: 'content-range' in headers ? { 'content-range': headers['content-range'] } : {} };
  }
  const status = checkStatus(head);
  const length = status === 206 && isRangeRequest ? partLength(head) : undefined;
  if (status === 206 && length === undefined) {
    throw new MillraceError('invalid_response_data', 'The source sent a different range than requested. Try again.');
  }
  const type = relayedType(head.headers['content-type'], order.mediaType);
  return {
    status,
    headers: {
      ...headers,
      ...(length === undefined ? {} : { 'content-length': String(length) }),
      ...inertFileHeaders({ type, name: nameOf(order, fileNameOf(type, order.url)) }),
      'cache-control': `private, max-age=${Math.max(0, Math.floor((order.expiresAt - now) / 1000))}`,
    },
  };
}

/** Returns the number of bytes of a part; undefined if its headers do not state them, or contradict each other. */
function partLength(head: ResponseHead): number | undefined {
  const part = extentOf(head);
  if (part === undefined) return undefined;
  const length = part.last - part.first + 1;
  const stated = head.headers['content-length'];
  return stated === undefined || stated === String(length) ? length : undefined;
}

/** Returns the file name: the title, with the extension of the type. */
function nameOf({ title = '' }: RelayOrder, plain: string): string {
  const suffix = extname(plain);
  const name = safeName(title, suffix, MAX_NAME_BYTES);
  return name === '' ? plain : `${name}${suffix}`;
}

/**
 * Returns the status of a response with content.
 *
 * @throws MillraceError as {@link statusError} for any other response.
 */
export function checkStatus(head: ResponseHead): 200 | 206 {
  if (head.status === 200 || head.status === 206) return head.status;
  throw statusError(head);
}

/**
 * Returns the error for a response without content: with the source's own status for 403, 404 and 410, which mean that
 * the link has expired; `non_2xx_response` for any other.
 */
export function statusError({ status, url }: ResponseHead): MillraceError {
  const { host } = validUrl(url);
  const fresh = 'Request a fresh link.';
  switch (status) {
    case 403:
      return new MillraceError('unavailable', `${host} refused this link, which may have expired. ${fresh}`);
    case 404:
      return new MillraceError('not_found', `${host} no longer has the content of this link. ${fresh}`);
    case 410:
      return new MillraceError('token_expired', `This link to ${host} has expired. ${fresh}`);
    default:
      return new MillraceError('non_2xx_response', `${host} returned status ${status}. Try again in a moment.`);
  }
}
