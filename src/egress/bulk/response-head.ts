import type { IncomingHttpHeaders } from 'node:http';
import { joinRepeated } from '../join-repeated.ts';
import { isChunked } from '../transfer-coding.ts';
import { malformedResponse } from '../transport-errors.ts';

/** How the end of a body is found: by its length in bytes, by its chunks, or by the end of the connection. */
export type Framing = number | 'chunked' | 'until-close';

/** The head of a response, and its information about the connection. */
export interface ParsedHead {
  readonly status: number;
  /** See {@link joinRepeated}. */
  readonly headers: IncomingHttpHeaders;
  readonly framing: Framing;
  /** Whether the connection may carry another request. */
  readonly reusable: boolean;
  /** Milliseconds for which the server keeps an idle connection open, if it specifies them. */
  readonly keepAlive?: number;
}

const statusLine = /^HTTP\/1\.([01]) (\d{3})(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const fieldLine = /^([!#$%&'*+\-.^_`|~\dA-Za-z]+):([\t\x20-\x7e\x80-\xff]*)$/;

/**
 * Parses the head of a response (RFC 9112). It is strict about how the body is delimited: heads that other parsers
 * could interpret differently are rejected.
 *
 * @param text - without the empty line at its end, in Latin-1.
 * @throws HTTPParserError
 */
export function parseHead(text: string): ParsedHead {
  const [first = '', ...lines] = text.split('\r\n');
  const [, minor, digits] = statusLine.exec(first) ?? [];
  if (digits === undefined) throw malformedResponse('its status line is invalid');
  const headers = parseFields(lines);
  const status = Number(digits);
  const framing = framingOf(status, headers);
  const connection = tokensOf(headers.connection);
  // HTTP/1.0 has no chunks, and the connection is closed after such a response (RFC 9112 §6.1).
  const isPersistent =
    minor === '1' ? !connection.includes('close') : connection.includes('keep-alive') && framing !== 'chunked';
  const seconds = /(?:^|[,;\s])timeout=(\d{1,6})/i.exec(String(headers['keep-alive'] ?? ''))?.[1];
  return {
    status,
    headers,
    framing,
    reusable: isPersistent && framing !== 'until-close',
    ...(seconds === undefined ? {} : { keepAlive: Number(seconds) * 1_000 }),
  };
}

function parseFields(lines: readonly string[]): IncomingHttpHeaders {
  const fields = new Map<string, string | string[]>();
  for (const line of lines) {
    const [, name, value] = fieldLine.exec(line) ?? [];
    if (name === undefined || value === undefined) throw malformedResponse('one of its header lines is invalid');
    const key = name.toLowerCase();
    const existing = fields.get(key);
    const content = value.trim();
    fields.set(key, existing === undefined ? content : [existing, content].flat());
  }
  return joinRepeated(Object.fromEntries(fields));
}

function framingOf(status: number, headers: IncomingHttpHeaders): Framing {
  if (status < 200 || status === 204 || status === 304) return 0;
  const { 'content-length': length } = headers;
  if (isChunked(headers)) {
    if (length !== undefined) throw malformedResponse('it has both Content-Length and Transfer-Encoding');
    return 'chunked';
  }
  if (length === undefined) return 'until-close';
  if (!/^\d+$/.test(String(length))) throw malformedResponse('its Content-Length is invalid');
  return Number(length);
}

function tokensOf(field: string | readonly string[] | undefined): string[] {
  if (field === undefined) return [];
  return [field].flat().flatMap((value) => value.split(',').map((token) => token.trim().toLowerCase()));
}
