import type { IncomingHttpHeaders } from 'node:http';

/** A part of a file, by its first and last byte, both counted from 0. */
export interface FilePart {
  readonly first: number;
  readonly last: number;
}

/** How a request for a file is answered; without a `part` there is no body. */
export interface FileAnswer {
  readonly status: 200 | 206 | 304 | 412 | 416;
  readonly part?: FilePart;
}

/** What a request may say of the bytes it wants. */
type AskedHeaders = Pick<IncomingHttpHeaders, 'range' | 'if-match' | 'if-none-match'> & {
  readonly 'if-range'?: string | string[];
};

/**
 * What is answered to a GET for a file that never changes: its conditions first, then its range (RFC 9110 §13.2.2,
 * §14.2). Several ranges at once, and what is no range, count as none.
 *
 * @param etag Strong: the same for the same bytes, whichever node answers.
 * @param size Bytes.
 */
export function answerTo(headers: AskedHeaders, etag: string, size: number): FileAnswer {
  const { 'if-match': held, 'if-none-match': known } = headers;
  if (held !== undefined && !names(held, ['*', etag])) return { status: 412 };
  if (known !== undefined && names(known, ['*', etag, `W/${etag}`])) return { status: 304 };
  const ifRange = headers['if-range'];
  const asked = ifRange === undefined || ifRange === etag ? rangeOf(headers.range) : undefined;
  if (asked === undefined) return { status: 200, part: { first: 0, last: size - 1 } };
  const part = within(asked, size);
  return part === undefined ? { status: 416 } : { status: 206, part };
}

/** Whether a list of entity tags has one of these: a weak one proves nothing where bytes count (RFC 9110 §13.1.1). */
function names(list: string, tags: readonly string[]): boolean {
  return list.split(',').some((each) => tags.includes(each.trim()));
}

/** From a byte on, to a byte, or the last so many. */
type Asked = { readonly first: number; readonly last: number } | { readonly suffix: number };

function rangeOf(header = ''): Asked | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? [];
  if (from === '') return to === '' ? undefined : { suffix: Number(to) };
  const asked = { first: Number(from), last: to === '' ? Number.POSITIVE_INFINITY : Number(to) };
  return asked.last < asked.first ? undefined : asked;
}

function within(asked: Asked, size: number): FilePart | undefined {
  const first = 'suffix' in asked ? Math.max(0, size - asked.suffix) : asked.first;
  const last = 'suffix' in asked ? size - 1 : Math.min(asked.last, size - 1);
  return first < size ? { first, last } : undefined;
}
