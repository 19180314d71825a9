import { MillraceError } from '../../contract/errors.ts';
import type { JobInput } from '../../contract/job.ts';
import { type BoundHeaders, withHeaders } from '../../egress/credentials.ts';
import type { Egress, EgressRequest, ResponseHead } from '../../egress/egress.ts';
import { type ContentCoding, isKnownCoding } from './decoding-writer.ts';
import type { Pause } from './patience.ts';

/** How to request a resource. */
export type SourceRequest = Omit<JobInput['request'], 'headers'> & {
  /** Bound to the origin of the input's URL, for all requests of the input. */
  readonly headers: BoundHeaders;
};

/** A resource to fetch: an input, or a segment of one. */
export interface Source {
  readonly egress: Egress;
  readonly url: string;
  readonly request: SourceRequest;
  /** How a part is asked for. */
  readonly rangeType: 'header' | 'query';
  /** What it is, for messages: `Input 1`, `Segment 12 of 40 of input 1`. */
  readonly name: string;
  /** Whether a web page is what is wanted. */
  readonly page: boolean;
  readonly signal: AbortSignal;
  readonly pause: Pause;
  /** Hears why something of the input is tried again, by its name; nothing once it gets on. */
  readonly onTrouble: (name: string, trouble: MillraceError | undefined) => void;
}

/** A member of an input's playlist: a variant, segment, key or initialization section. */
export function memberOf(source: Source, url: string, name: string = source.name): Source {
  // The headers stay bound to the input's origin, even if the playlist was redirected.
  return { ...source, url, request: { method: 'GET', headers: source.request.headers }, rangeType: 'header', name };
}

/** Part of a resource: `from` to `to`, both included; without `to`, the rest. */
export interface ByteRange {
  readonly from: number;
  readonly to?: number;
  /** The first part of a file of which nothing is known yet: an answer with the whole will do. */
  readonly opening?: boolean;
}

/** A source that answers with something else than the part asked for, so that it can only be fetched whole. */
export class RangesUnsupported extends Error {
  override readonly name = 'RangesUnsupported';
}

/** A source whose content changed between two answers. */
export class SourceChanged extends Error {
  override readonly name = 'SourceChanged';
}

/** A browser's name: some CDNs answer nothing else. A caller's own header wins. */
const defaultHeaders = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  accept: '*/*',
};

/** The request for a part of a source. */
export function requestFor(source: Source, asked: ByteRange): EgressRequest & Pick<SourceRequest, 'headers'> {
  const { from, to } = asked;
  const given = source.request.headers;
  const byHeader = isPartial(asked) && source.rangeType === 'header';
  const headers = withHeaders(given, {
    ...defaultHeaders,
    ...given.values,
    'accept-encoding': 'identity',
    ...(byHeader ? { range: `bytes=${from}-${to ?? ''}` } : {}),
  });
  return {
    url: isQueriedPart(source, asked) ? withRangeQuery(source.url, from, to) : source.url,
    method: source.request.method,
    headers,
    ...(source.request.body === undefined ? {} : { body: source.request.body }),
    copied: true,
    signal: source.signal,
  };
}

function isPartial({ from, to }: ByteRange): boolean {
  return from > 0 || to !== undefined;
}

/** With the query parameter the answer does not tell the file's size, so the opening asks for the whole and stops early. */
function isQueriedPart(source: Source, asked: ByteRange): boolean {
  return source.rangeType === 'query' && isPartial(asked) && asked.opening !== true;
}

/** Adds the parameter as text: parsing and writing the others anew could break a signature over them. */
function withRangeQuery(url: string, from: number, to: number | undefined): string {
  const [address = '', fragment] = url.split('#', 2);
  const range = `range=${from}-${to ?? ''}`;
  const joined = `${address}${address.includes('?') ? '&' : '?'}${range}`;
  return fragment === undefined ? joined : `${joined}#${fragment}`;
}

/** What the head of an answer says about the part that follows. */
export interface PartHead {
  /** Position of the first byte that follows. */
  readonly from: number;
  /** Position of the last byte that follows, where told. */
  readonly to?: number;
  /** Size of the whole resource, where told. */
  readonly total?: number;
  /** Whether the source can be asked for other parts, as far as this head tells. */
  readonly ranges: boolean;
  /** How the bytes that follow are coded; such an answer is whole. */
  readonly coding?: ContentCoding;
  /** Changes when the resource does. */
  readonly version?: string;
}

/** What tells a resource from another version of it, however much later it is asked for. */
export interface LastingHead {
  readonly version: string;
  readonly total: number;
}

/**
 * What a head says for good, if it does: a weak entity tag may stay the same when bytes change (RFC 9110 §8.8.1), and
 * without any tag or date another file of the same size could not be told from this one.
 */
export function lastingHead({ total, coding, version }: PartHead): LastingHead | undefined {
  const lasts = coding === undefined && version !== undefined && !version.startsWith('W/');
  return lasts && total !== undefined ? { version, total } : undefined;
}

/**
 * Reads the head of an answer to a request for a part.
 *
 * @throws MillraceError `source_refused`, `source_unreachable`, `source_unsupported` or `download_incomplete`.
 * @throws RangesUnsupported when the answer is not the part asked for.
 */
export function readHead(source: Source, asked: ByteRange, head: ResponseHead): PartHead {
  const { status, headers } = head;
  const coding = headers['content-encoding'];
  if (status === 416) throw new RangesUnsupported(`${source.name} cannot be asked for bytes from ${asked.from} on`);
  if (status !== 200 && status !== 206) throw refusal(source, head);
  refusePage(source, head);
  if (coding !== undefined && coding !== 'identity') return readCodedHead(source, asked, head, coding.toLowerCase());
  const version = headers.etag ?? headers['last-modified'];
  const length = contentLength(headers['content-length']);
  const known = { ...(version === undefined ? {} : { version }), ranges: true };
  if (status === 206 && headers['content-range'] !== undefined) {
    return { ...known, ...readContentRange(source, asked, headers['content-range']) };
  }
  if (isQueriedPart(source, asked)) {
    const wanted = asked.to === undefined ? undefined : asked.to - asked.from + 1;
    if (length === undefined || (wanted !== undefined && length > wanted)) {
      throw new RangesUnsupported(`${source.name} does not know the range parameter`);
    }
    return { ...known, from: asked.from, to: asked.from + length - 1 };
  }
  if (status === 206)
    throw new RangesUnsupported(`${source.name} sends a part without saying which (206 without Content-Range)`);
  if (asked.from > 0) throw new RangesUnsupported(`${source.name} sends no ranges`);
  const whole = length === undefined ? {} : { to: length - 1, total: length };
  return { ...known, ...whole, from: 0, ranges: source.rangeType === 'query' };
}

/** A coded answer was not asked for, and can only be taken whole: a part of it decodes to nothing. */
function readCodedHead(source: Source, asked: ByteRange, { status, headers }: ResponseHead, coding: string): PartHead {
  if (!isKnownCoding(coding)) {
    throw new MillraceError(
      'source_unsupported',
      `${source.name} is sent with the unknown coding ${coding.slice(0, 40)}. Use another source.`,
    );
  }
  if (status !== 200 || asked.from > 0) throw new RangesUnsupported(`${source.name} is sent with ${coding} coding`);
  const length = contentLength(headers['content-length']);
  return { from: 0, ranges: false, coding, ...(length === undefined ? {} : { to: length - 1 }) };
}

/** Expired links are often answered with a page and status 200. */
function refusePage(source: Source, { url, headers }: ResponseHead): void {
  if (!source.page && isPage(headers)) throw refusedInstead(source, url, 'a web page');
}

/** Whether an answer says that it is a web page. */
export function isPage(headers: ResponseHead['headers']): boolean {
  return /^text\/html\b/i.test(headers['content-type'] ?? '');
}

/** What it means that a source answers with something else than media: `a web page`. */
export function refusedInstead({ name }: Source, url: string, what: string): MillraceError {
  return new MillraceError(
    'source_refused',
    `${name}: ${new URL(url).host} answered with ${what} instead of media. Obtain fresh source links and start again.`,
  );
}

function readContentRange(source: Source, asked: ByteRange, text: string): Omit<PartHead, 'ranges'> {
  const [, from, to, total] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(text) ?? [];
  const part = { from: Number(from), to: Number(to) };
  const fits = part.from === asked.from && part.to >= part.from && (asked.to === undefined || part.to <= asked.to);
  if (total === undefined || !fits) throw new RangesUnsupported(`${source.name} sent the range "${text.slice(0, 80)}"`);
  return total === '*' ? part : { ...part, total: Number(total) };
}

function contentLength(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** What a status other than 200 and 206 means. */
export function refusal(source: Source, { status, url }: ResponseHead): MillraceError {
  const said = `${source.name}: ${new URL(url).host} answered ${status}.`;
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    return new MillraceError('source_unreachable', `${said} Start the same job again later.`);
  }
  return new MillraceError(
    'source_refused',
    `${said} The source link has expired or is refused. Obtain fresh source links and start again.`,
  );
}
