import type { IncomingHttpHeaders } from 'node:http';

/** A byte range of a file: positions of its first and last byte, counted from 0. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** The status of a file response, and the bytes that it sends; without `range` it has no body. */
interface RangeResponse {
  readonly status: 200 | 206 | 304 | 412 | 416;
  readonly range?: ByteRange;
}

/** Headers that determine the response. */
type ConditionalHeaders = Pick<IncomingHttpHeaders, 'range' | 'if-match' | 'if-none-match'> & {
  readonly 'if-range'?: string | string[];
};

/**
 * Evaluates the conditions of a GET for a file that never changes, then its range (RFC 9110 §13.2.2, §14.2). Multiple
 * ranges and invalid ones are ignored.
 *
 * @param etag Strong entity tag: the same for the same bytes, on every node.
 * @param size Size of the file in bytes.
 */
export function resolveRangeRequest(headers: ConditionalHeaders, etag: string, size: number): RangeResponse {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch, 'if-range': ifRange } = headers;
  if (ifMatch !== undefined && !hasTag(ifMatch, ['*', etag])) return { status: 412 };
  if (ifNoneMatch !== undefined && hasTag(ifNoneMatch, ['*', etag, `W/${etag}`])) return { status: 304 };
  const requestedRange = ifRange === undefined || ifRange === etag ? parseRange(headers.range) : undefined;
  if (requestedRange === undefined) return { status: 200, range: { first: 0, last: size - 1 } };
  const range = clampToFile(requestedRange, size);
  return range === undefined ? { status: 416 } : { status: 206, range };
}

/** Whether a list of entity tags contains one of these. A weak tag proves nothing about bytes (RFC 9110 §13.1.1). */
function hasTag(list: string, tags: readonly string[]): boolean {
  return list.split(',').some((each) => tags.includes(each.trim()));
}

/** A requested range: from one byte to another, or the last bytes of the file. */
type RequestedRange = ByteRange | { readonly suffix: number };

function parseRange(header = ''): RequestedRange | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? [];
  if (from === '') return to === '' ? undefined : { suffix: Number(to) };
  const range = { first: Number(from), last: to === '' ? Number.POSITIVE_INFINITY : Number(to) };
  return range.last < range.first ? undefined : range;
}

function clampToFile(range: RequestedRange, size: number): ByteRange | undefined {
  const first = 'suffix' in range ? Math.max(0, size - range.suffix) : range.first;
  const last = 'suffix' in range ? size - 1 : Math.min(range.last, size - 1);
  return first < size ? { first, last } : undefined;
}
