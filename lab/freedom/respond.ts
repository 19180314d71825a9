import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { type Character, type Fault, pick, type Random } from './character.ts';

/** A version of the file. */
export interface Version {
  readonly bytes: Buffer;
  /** Number of the version, for its validators. */
  readonly number: number;
}

/** A request, as far as a server answers it. */
export interface FreeRequest {
  /** 1 for the first request to the server. */
  readonly number: number;
  /** 1 for the first connection. */
  readonly connection: number;
  /** Path and query. */
  readonly target: string;
  /** The `Range` header. */
  readonly range: string | undefined;
}

/** A response: its bytes, and what happens to the connection after them. */
export interface FreeResponse {
  readonly bytes: Buffer;
  readonly next: 'keep' | 'end' | 'reset';
}

/** Parameter of the target of a redirect. */
const redirected = 'redirected=1';

/** A requested range; the end is exclusive, and may be after that of the file. */
interface Wanted {
  readonly from: number;
  readonly end: number;
  readonly isQuery: boolean;
}

/** Returns how a server of this character responds. A client that reads the whole response knows whether it is complete. */
export function respond(character: Character, random: Random, version: Version, request: FreeRequest): FreeResponse {
  const { framing } = character;
  const fault = character.faults[request.number - 1] ?? { kind: 'none' };
  if (fault.kind === 'status') return oddStatus(fault.status);
  const wanted = wantedOf(request);
  const mayRedirect = character.redirects === 'all' || (character.redirects === 'ranges' && wanted !== undefined);
  if (mayRedirect && !request.target.includes(redirected)) {
    const location = `${request.target}${request.target.includes('?') ? '&' : '?'}${redirected}`;
    return {
      bytes: Buffer.from(`HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`),
      next: 'keep',
    };
  }
  const { status, headers, body } = answer(character, random, version, request, wanted);
  const { connection } = character;
  // HTTP/1.0 has no chunks.
  const isChunked = framing === 'chunks' && connection !== 'old';
  const isFramed = framing === 'length' || isChunked;
  const error = character.contradicts && random() < 0.3 ? (status === 206 && random() < 0.5 ? -1 : 1) : 0;
  const isLast = !isFramed || connection !== 'keep' || error !== 0;
  const lines = [
    `HTTP/1.${connection === 'old' ? 0 : 1} ${status} Any Reason`,
    ...headers,
    ...(framing === 'length' ? [`Content-Length:${body.length + error}`] : []),
    ...(isChunked ? ['transfer-encoding: chunked', 'trailer: x-end'] : []),
    ...(isLast && connection !== 'old' ? ['connection: close'] : []),
  ];
  const interim = character.interim
    ? 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n'
    : '';
  const framed = isChunked ? chunked(body, random) : body;
  const behind =
    connection === 'behind' && isFramed && error === 0 ? Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n') : '';
  const bytes = Buffer.concat([Buffer.from(`${interim}${lines.join('\r\n')}\r\n\r\n`), framed, Buffer.from(behind)]);
  return cut({ bytes, next: isLast ? 'end' : 'keep' }, fault, isFramed);
}

/** Cuts a response. Only a reset tells that a body without any framing is incomplete. */
function cut(response: FreeResponse, fault: Fault, isFramed: boolean): FreeResponse {
  if (fault.kind !== 'end' && fault.kind !== 'reset') return response;
  const bytes = response.bytes.subarray(0, Math.floor(fault.at * response.bytes.length));
  return { bytes, next: isFramed ? fault.kind : 'reset' };
}

function oddStatus(status: number): FreeResponse {
  const body = status === 204 ? '' : status === 200 || status === 206 ? '' : 'an error';
  const length = status === 204 ? '' : `content-length: ${body.length}\r\n`;
  return { bytes: Buffer.from(`HTTP/1.1 ${status} Odd\r\n${length}\r\n${body}`), next: 'keep' };
}

function wantedOf({ range, target }: FreeRequest): Wanted | undefined {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  const [, queryFrom, queryTo] = /[?&]range=(\d+)-(\d*)/.exec(target) ?? [];
  if (queryFrom !== undefined) return { from: Number(queryFrom), end: endOf(queryTo), isQuery: true };
  return from === undefined ? undefined : { from: Number(from), end: endOf(to), isQuery: false };
}

function endOf(to: string | undefined): number {
  return to === undefined || to === '' ? Number.POSITIVE_INFINITY : Number(to) + 1;
}

interface Answer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

function answer(
  character: Character,
  random: Random,
  version: Version,
  request: FreeRequest,
  wanted: Wanted | undefined,
): Answer {
  const { bytes } = version;
  const validators = validatorsOf(character, random, version, request.connection);
  const how =
    character.ranges === 'mixed' ? pick(random, ['exact', 'shorter', 'longer', 'ignored'] as const) : character.ranges;
  if (wanted === undefined || (how === 'ignored' && !wanted.isQuery)) {
    const { headers, body } = coded(character, bytes);
    return { status: 200, headers: [...validators, ...headers], body };
  }
  if (wanted.from >= bytes.length || (how === 'unsatisfiable' && wanted.from > 0)) {
    return { status: 416, headers: [`content-range: bytes */${bytes.length}`], body: Buffer.alloc(0) };
  }
  const asked = { from: wanted.from, end: Math.min(wanted.end, bytes.length) };
  if (wanted.isQuery) {
    const end = how === 'shorter' ? Math.min(asked.end, asked.from + character.limit) : asked.end;
    return { status: 200, headers: validators, body: bytes.subarray(asked.from, end) };
  }
  const { from, end } = sentRange(how, asked, character.limit, bytes.length, random);
  const total = totalOf(character, random, bytes.length);
  const body = bytes.subarray(from, end);
  if (how === 'multipart') return multipart(validators, body, `bytes ${from}-${end - 1}/${total}`);
  const place = how === 'unplaced' ? [] : [`Content-Range: bytes ${from}-${end - 1}/${total}`];
  return { status: 206, headers: [...validators, ...place], body };
}

function sentRange(
  how: Character['ranges'],
  { from, end }: { readonly from: number; readonly end: number },
  limit: number,
  size: number,
  random: Random,
): { readonly from: number; readonly end: number } {
  if (how === 'shorter') return { from, end: Math.min(end, from + limit) };
  if (how === 'longer') {
    const before = Math.floor(random() * Math.min(from, limit));
    return { from: from - before, end: Math.min(size, end + Math.floor(random() * limit)) };
  }
  if (how !== 'elsewhere') return { from, end };
  return from > 0 ? { from: from - 1, end: from } : { from: Math.min(1, size - 1), end: size };
}

function totalOf({ total }: Character, random: Random, size: number): string {
  if (total === 'unknown' || (total === 'sometimes' && random() < 0.3)) return '*';
  return total === 'changes' && random() < 0.3 ? String(size + 1 + Math.floor(random() * 1000)) : String(size);
}

function validatorsOf(
  { validator }: Character,
  random: Random,
  { number }: Version,
  connection: number,
): readonly string[] {
  if (validator === 'none' || (validator === 'sometimes' && random() < 0.3)) return [];
  if (validator === 'weak') return [`ETag: W/"${number}"`];
  if (validator === 'date')
    return [`Last-Modified: Sat, 28 Nov 2026 00:00:${String(number % 60).padStart(2, '0')} GMT`];
  return validator === 'backend' ? [`ETag: "${number}-${connection}"`] : [`ETag: "${number}"`];
}

function multipart(validators: readonly string[], body: Buffer, place: string): Answer {
  const part = Buffer.from(`--b\r\ncontent-type: video/mp4\r\ncontent-range: ${place}\r\n\r\n`);
  return {
    status: 206,
    headers: [...validators, 'Content-Type: multipart/byteranges; boundary=b'],
    body: Buffer.concat([part, body, Buffer.from('\r\n--b--\r\n')]),
  };
}

function coded({ coding }: Character, bytes: Buffer): { readonly headers: readonly string[]; readonly body: Buffer } {
  const headers = [`Content-Encoding: ${coding}`];
  switch (coding) {
    case 'none':
      return { headers: [], body: bytes };
    case 'identity':
      return { headers, body: bytes };
    case 'gzip':
      return { headers, body: gzipSync(bytes, { level: 1 }) };
    case 'deflate':
      return { headers, body: deflateSync(bytes, { level: 1 }) };
    case 'br':
      return { headers, body: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } }) };
  }
}

/** Returns a body in chunks of any size, with extensions and a trailer (RFC 9112, section 7.1). */
function chunked(body: Buffer, random: Random): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const piece = body.subarray(at, at + 1 + Math.floor(random() ** 2 * body.length));
    const size = random() < 0.5 ? piece.length.toString(16).toUpperCase() : `00${piece.length.toString(16)} ;a="b"`;
    parts.push(Buffer.from(`${size}\r\n`), piece, Buffer.from('\r\n'));
    at += piece.length;
  }
  return Buffer.concat([...parts, Buffer.from('0\r\nx-end: 1\r\n\r\n')]);
}
