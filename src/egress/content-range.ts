import type { ResponseHead } from './egress.ts';

/** The bytes of a file that a partial response contains. */
export interface ContentRange {
  /** Position of the first byte. */
  readonly first: number;
  /** Position of the last byte. */
  readonly last: number;
  /** Bytes of the whole file, if the response states them. */
  readonly total?: number;
}

/** Reads a `Content-Range` header (RFC 9110 §14.4); undefined if it is absent or contradicts itself. */
export function readContentRange(header = ''): ContentRange | undefined {
  const [, ...numbers] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(header) ?? [];
  const [first, last, total] = numbers.map(Number);
  if (first === undefined || last === undefined || total === undefined || first > last) return undefined;
  // An asterisk is not a number.
  if (Number.isNaN(total)) return { first, last };
  return last < total ? { first, last, total } : undefined;
}

/**
 * Returns the head with status 206 if it has status 200 but states to contain only a part. RFC 9110 §14.4 gives
 * `Content-Range` no meaning for 200, but a server that sends it there has cut its response to a range, so that the body
 * would pass for the whole file. A range of the whole file is ignored, unless `Content-Length` contradicts it.
 */
export function withPartStatus(head: ResponseHead): ResponseHead {
  const { status, headers } = head;
  const range = status === 200 ? readContentRange(headers['content-range']) : undefined;
  if (range === undefined) return head;
  const { 'content-length': length = String(range.total) } = headers;
  const isWhole = range.first === 0 && range.last + 1 === range.total && Number(length) === range.total;
  return isWhole ? head : { ...head, status: 206 };
}
