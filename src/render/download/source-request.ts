import type { Caller } from '../../contract/caller.ts';
import { MillraceError } from '../../contract/errors.ts';
import { isLinkRefusal } from '../../contract/media-fetch.ts';
import { validUrl } from '../../contract/parse-url.ts';
import { contentCodingOf } from '../../egress/content-coding.ts';
import { readContentRange } from '../../egress/content-range.ts';
import { withHeaders } from '../../egress/credentials.ts';
import type { Egress, EgressRequest, ResponseHead } from '../../egress/egress.ts';
import { validatorOf } from '../../egress/validator.ts';
import { type ContentCoding, isSupportedCoding } from './decoding-writer.ts';
import type { HeldMemory } from './held-memory.ts';
import {
  fixedLink,
  LinkRefused,
  type LinkState,
  memberState,
  type SourceLink,
  type SourceRequest,
} from './links/source-link.ts';
import type { InputPlaylists } from './playlist-memory.ts';
import type { RetryContext } from './retry-budget.ts';

/** Bytes before the requested range with which a response may begin. */
const MAX_EARLY_BYTES = 1024 * 1024;

/** A resource to fetch: an input, or a segment of one. */
export interface Source extends RetryContext {
  readonly egress: Egress;
  readonly link: SourceLink;
  /** How a range is requested. */
  readonly rangeType: 'header' | 'query';
  /** Whom it is fetched for. */
  readonly caller: Caller;
  /** The budget of what is held in memory while the source sends the rest. */
  readonly heldMemory: HeldMemory;
  /** What the playlists of its input take. */
  readonly playlists: InputPlaylists;
  /** Settles when everything before the resource has arrived, if it is part of a series. */
  readonly turn?: Promise<unknown> | undefined;
  /** Whether the input is expected to be a web page. */
  readonly allowsPage: boolean;
  /** Language tag of the audio to choose from a playlist. Default: the playlist's choice. */
  readonly language?: string;
}

/** Returns the source of a member of a playlist whose link is not replaced: a variant or a segment. */
export function childSource(source: Source, url: string, name: string = source.name): Source {
  return { ...source, link: fixedLink(memberState(source.link.current, url)), rangeType: 'header', name };
}

/** A range of a resource to request: `from` to `to`, both inclusive; without `to`, the rest. */
export interface RangeRequest {
  readonly from: number;
  readonly to?: number;
  /** Whether this is the first range of an unknown file: a response with the whole file is accepted. */
  readonly initial?: boolean;
}

/** Thrown when a source responds with a range other than the requested one, so that it can only be fetched whole. */
export class RangesUnsupported extends Error {
  override readonly name = 'RangesUnsupported';
}

/** Thrown when the content of a source changes between two responses. */
export class SourceChanged extends Error {
  override readonly name = 'SourceChanged';
}

/** A browser's headers: some CDNs reject others. A header that the caller has set takes precedence. */
export const defaultHeaders = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  accept: '*/*',
};

/** Returns the request for a range of a source through one of its links. */
export function requestFor(
  source: Source,
  { url, request }: LinkState,
  range: RangeRequest,
): EgressRequest & Pick<SourceRequest, 'headers'> {
  const { from, to } = range;
  const callerHeaders = request.headers;
  const byHeader = isPartial(range) && source.rangeType === 'header';
  const headers = withHeaders(callerHeaders, {
    ...defaultHeaders,
    ...callerHeaders.values,
    'accept-encoding': 'identity',
    ...(byHeader ? { range: `bytes=${from}-${to ?? ''}` } : {}),
  });
  return {
    url: usesRangeQuery(source, range) ? withRangeQuery(url, from, to) : url,
    caller: source.caller,
    method: request.method,
    headers,
    ...(request.body === undefined ? {} : { body: request.body }),
    allowBufferReuse: true,
    signal: source.signal,
  };
}

function isPartial({ from, to }: RangeRequest): boolean {
  return from > 0 || to !== undefined;
}

/**
 * Whether a range is requested with the query parameter. Responses to such requests do not contain the file's size. The
 * initial request is therefore for the whole file, and stops early.
 */
function usesRangeQuery(source: Source, range: RangeRequest): boolean {
  return source.rangeType === 'query' && isPartial(range) && range.initial !== true;
}

/** Appends the parameter as text: parsing and rewriting the others could invalidate a signature over them. */
function withRangeQuery(url: string, from: number, to: number | undefined): string {
  const [address = '', fragment] = url.split('#', 2);
  const range = `range=${from}-${to ?? ''}`;
  const rangeUrl = `${address}${address.includes('?') ? '&' : '?'}${range}`;
  return fragment === undefined ? rangeUrl : `${rangeUrl}#${fragment}`;
}

/** Properties of a part, from the head of its response. */
export interface PartHead {
  /** Position of the first byte of the response: that of the requested part, or an earlier one. */
  readonly from: number;
  /** Position of the last byte of the response, if the head contains it. */
  readonly to?: number;
  /** Size of the whole resource, if the head contains it. */
  readonly total?: number;
  /** Whether other ranges can be requested, according to this head. */
  readonly acceptsRanges: boolean;
  /** Content coding of the body. A response with a content coding always contains the whole resource. */
  readonly coding?: ContentCoding;
  /** The text of the validator; see `isSameVersion`. */
  readonly validator?: string;
  /** Whether the validator identifies the version even much later. */
  readonly hasStrongValidator?: boolean;
  /** Lower-case media type without parameters. */
  readonly mediaType?: string;
}

/** Identifies a version of a resource, even if the resource is requested again much later. */
export interface ResourceVersion {
  readonly validator: string;
  readonly total: number;
}

/**
 * Returns the version that a head identifies, if any. Without a strong validator, another file of the same size could not
 * be distinguished from this one.
 */
export function resourceVersionOf(head: PartHead): ResourceVersion | undefined {
  const { total, coding, validator, hasStrongValidator = false } = head;
  const isKnown = coding === undefined && validator !== undefined && hasStrongValidator;
  return isKnown && total !== undefined ? { validator, total } : undefined;
}

/**
 * Reads the head of a response to a range request.
 *
 * @throws MillraceError `source_refused`, `source_unreachable`, `source_unsupported` or `download_incomplete`.
 * @throws RangesUnsupported if the response is not the requested range.
 */
export function readHead(source: Source, range: RangeRequest, head: ResponseHead): PartHead {
  const { status, headers } = head;
  const coding = contentCodingOf(headers);
  if (status === 416) throw new RangesUnsupported(`${source.name} does not provide bytes from ${range.from} onwards`);
  if (status !== 200 && status !== 206) throw statusError(source, head);
  rejectPage(source, head);
  if (coding !== undefined) return readCodedHead(source, range, head, coding);
  const validator = validatorOf(head);
  const length = contentLength(headers['content-length']);
  const mediaType = mediaTypeOf(headers);
  const common = {
    ...(validator === undefined ? {} : { validator: validator.text, hasStrongValidator: validator.isStrong }),
    ...(mediaType === undefined ? {} : { mediaType }),
    acceptsRanges: true,
  };
  if (status === 206 && mediaType === 'multipart/byteranges') {
    throw new RangesUnsupported(`${source.name} was sent as several ranges`);
  }
  if (status === 206 && headers['content-range'] !== undefined) {
    return { ...common, ...partOf(source, range, headers['content-range'], length) };
  }
  if (usesRangeQuery(source, range)) {
    const expectedLength = range.to === undefined ? undefined : range.to - range.from + 1;
    if (length === undefined || (expectedLength !== undefined && length > expectedLength)) {
      throw new RangesUnsupported(`${source.name} does not support the range parameter`);
    }
    return { ...common, from: range.from, to: range.from + length - 1 };
  }
  if (status === 206)
    throw new RangesUnsupported(`${source.name} was sent as a part without its position (206 without Content-Range)`);
  if (range.from > 0) throw new RangesUnsupported(`${source.name} does not support ranges`);
  const whole = length === undefined ? {} : { to: length - 1, total: length };
  // Only the size of the file tells where the ranges of the parameter end.
  return { ...common, ...whole, from: 0, acceptsRanges: source.rangeType === 'query' && length !== undefined };
}

/**
 * Reads the head of a response with a content coding. No coding was requested, and only a whole response can be
 * accepted: a part cannot be decoded.
 */
function readCodedHead(
  source: Source,
  range: RangeRequest,
  { status, headers }: ResponseHead,
  coding: string,
): PartHead {
  if (!isSupportedCoding(coding)) {
    throw new MillraceError(
      'source_unsupported',
      `${source.name} was sent with the unknown content coding ${coding.slice(0, 40)}. Use another source.`,
    );
  }
  const isWhole = range.from === 0 && (range.to === undefined || range.initial === true);
  if (status !== 200 || !isWhole) throw new RangesUnsupported(`${source.name} was sent with ${coding} coding`);
  const length = contentLength(headers['content-length']);
  return { from: 0, acceptsRanges: false, coding, ...(length === undefined ? {} : { to: length - 1 }) };
}

/** Rejects a web page in place of media: the response to an expired link is often a page with status 200. */
function rejectPage(source: Source, { url, headers }: ResponseHead): void {
  if (!source.allowsPage && isWebPage(headers)) throw notMediaError(source, url, 'a web page');
}

/** Whether the headers of a response announce a web page. */
export function isWebPage(headers: ResponseHead['headers']): boolean {
  return /^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(headers['content-type'] ?? '');
}

function mediaTypeOf(headers: ResponseHead['headers']): string | undefined {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
}

/** Returns the error for a source that responds with something other than media, such as `a web page`. */
export function notMediaError({ name }: Source, url: string, what: string): LinkRefused {
  return new LinkRefused(
    200,
    `${name}: ${validUrl(url).host} returned ${what} instead of media. Request new source links and start the job again.`,
  );
}

/**
 * Reads the range of a response. It may be shorter than the requested one, or begin before it and end after it (RFC 9110
 * §15.3.7), but contains its first byte. One that begins long before is not accepted: a server that always sends the
 * whole file would send it once for each part.
 */
function partOf(
  source: Source,
  range: RangeRequest,
  header: string,
  length: number | undefined,
): Omit<PartHead, 'acceptsRanges'> {
  const part = readContentRange(header);
  const isNear = part !== undefined && part.first <= range.from && part.first >= range.from - MAX_EARLY_BYTES;
  const fits = isNear && part.last >= range.from;
  if (!fits || (length !== undefined && length !== part.last - part.first + 1))
    throw new RangesUnsupported(`${source.name} was sent with the wrong range "${header.slice(0, 80)}"`);
  const { first, last, ...total } = part;
  return { from: first, to: last, ...total };
}

function contentLength(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Returns the error for a status other than 200 and 206. */
export function statusError(source: Source, { status, url }: ResponseHead): MillraceError {
  const prefix = `${source.name}: ${validUrl(url).host} returned ${status}.`;
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    return new MillraceError('source_unreachable', `${prefix} Start the same job again later.`);
  }
  const message = `${prefix} The link has expired or access is denied; request new source links and start the job again.`;
  return isLinkRefusal(status) ? new LinkRefused(status, message) : new MillraceError('source_refused', message);
}
