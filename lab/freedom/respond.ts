import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type Answer, answerDownload, type Version, validatorsOf, wantedOf } from './answer.ts';
import type { Character, Fault, Random } from './character.ts';
import type { FreeRequest } from './request-reader.ts';

/** A response: its bytes, and what happens to the connection after them. */
export interface FreeResponse {
  readonly status: number;
  readonly bytes: Buffer;
  readonly next: 'keep' | 'end' | 'reset';
}

/** Parameter of the target of a redirect. */
const redirected = 'redirected=1';
const noBytes = Buffer.alloc(0);

/**
 * Returns how a server of this character responds. A client that reads the whole response knows whether it is complete.
 *
 * @param version The file; undefined if the server has none.
 */
export function respond(
  character: Character,
  random: Random,
  version: Version | undefined,
  request: FreeRequest,
): FreeResponse {
  const fault = character.faults[request.number - 1] ?? { kind: 'none' };
  const answer = fault.kind === 'status' ? oddStatus(fault.status) : answerTo(character, random, version, request);
  const isOdd = fault.kind === 'status' || answer.status === 302;
  return isOdd
    ? { ...frame({ ...character, ...plainFraming }, random, answer, request, { kind: 'none' }) }
    : frame(character, random, answer, request, fault);
}

/** How redirects and errors are sent. */
const plainFraming = { framing: 'length', connection: 'keep', interim: false, contradicts: false } as const;

function answerTo(character: Character, random: Random, version: Version | undefined, request: FreeRequest): Answer {
  const { target, hasBody } = request;
  const mayRedirect =
    character.redirects === 'all' || (character.redirects === 'ranges' && wantedOf(request) !== undefined);
  if (mayRedirect && !target.includes(redirected)) {
    const location = `${target}${target.includes('?') ? '&' : '?'}${redirected}`;
    return { status: 302, headers: [`location: ${location}`], body: noBytes };
  }
  if (hasBody) return answerUpload(character, random, request);
  if (request.method === 'DELETE') return { status: 204, headers: [], body: noBytes };
  return version === undefined ? oddStatus(404) : answerDownload(character, random, version, request);
}

/** A store with strong validators uses the MD5 of the file, as S3 does. */
function answerUpload(character: Character, random: Random, { number, connection, body }: FreeRequest): Answer {
  const { uploadStatus: status, validator } = character;
  const headers =
    validator === 'strong' && body !== undefined
      ? [`ETag: "${createHash('md5').update(body).digest('hex')}"`]
      : validatorsOf(character, random, { bytes: noBytes, number }, connection);
  return { status, headers, body: status < 300 ? noBytes : Buffer.from('an error') };
}

function oddStatus(status: number): Answer {
  return { status, headers: [], body: status < 300 ? noBytes : Buffer.from('an error') };
}

function frame(
  character: Character,
  random: Random,
  { status, headers, body }: Answer,
  { method }: FreeRequest,
  fault: Fault,
): FreeResponse {
  const { framing, connection } = character;
  const hasNoBody = method === 'HEAD' || status === 204;
  const isCoded = framing === 'coded';
  // HTTP/1.0 has no chunks.
  const isChunked = (framing === 'chunks' && connection !== 'old') || isCoded;
  const isFramed = framing === 'length' || isChunked || hasNoBody;
  const error = !hasNoBody && character.contradicts && random() < 0.3 ? (status === 206 && random() < 0.5 ? -1 : 1) : 0;
  const isLast = !isFramed || connection !== 'keep' || error !== 0;
  const lines = [
    `HTTP/1.${connection === 'old' ? 0 : 1} ${status} Any Reason`,
    ...headers,
    ...(framing === 'length' && status !== 204 ? [`Content-Length:${body.length + error}`] : []),
    ...(isChunked && status !== 204 ? [`transfer-encoding: ${isCoded ? 'gzip, ' : ''}chunked`, 'trailer: x-end'] : []),
    ...(isLast && connection !== 'old' ? ['connection: close'] : []),
  ];
  const interim = character.interim
    ? 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n'
    : '';
  const head = Buffer.from(`${interim}${lines.join('\r\n')}\r\n\r\n`);
  const framed = hasNoBody ? noBytes : isChunked ? chunked(isCoded ? gzipSync(body) : body, random) : body;
  const behind =
    connection === 'behind' && isFramed && error === 0 ? Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n') : noBytes;
  const response = { status, bytes: Buffer.concat([head, framed, behind]), next: isLast ? 'end' : 'keep' } as const;
  return cut(response, fault, head.length, isFramed);
}

/** Cuts a response. Only a reset tells that a body without any framing is incomplete. */
function cut(response: FreeResponse, fault: Fault, headLength: number, isFramed: boolean): FreeResponse {
  if (fault.kind !== 'end' && fault.kind !== 'reset') return response;
  const { bytes } = response;
  const end = fault.part === 'head' ? fault.at * headLength : headLength + fault.at * (bytes.length - headLength);
  return { ...response, bytes: bytes.subarray(0, Math.floor(end)), next: isFramed ? fault.kind : 'reset' };
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
