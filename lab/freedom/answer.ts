import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { type Character, pick, type Random } from './character.ts';
import type { FreeRequest } from './request-reader.ts';

/** A version of the file. */
export interface Version {
  readonly bytes: Buffer;
  /** Number of the version, for its validators. */
  readonly number: number;
}

/** A requested range; the end is exclusive, and may be after that of the file. */
interface Wanted {
  readonly from: number;
  readonly end: number;
  readonly isQuery: boolean;
}

/** What a response says, without how it is framed. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** Returns what a server of this character sends for its file. */
export function answerDownload(character: Character, random: Random, version: Version, request: FreeRequest): Answer {
  const wanted = wantedOf(request);
  const { bytes } = version;
  const validators = validatorsOf(character, random, version, request.connection);
  const how =
    character.ranges === 'mixed'
      ? pick(random, ['exact', 'shorter', 'longer', 'ignored', 'labelled'] as const)
      : character.ranges;
  if (wanted === undefined || (how === 'ignored' && !wanted.isQuery)) {
    const { headers, body } = coded(character, bytes);
    return { status: 200, headers: [...validators, ...headers], body };
  }
  if (wanted.from >= bytes.length || (how === 'unsatisfiable' && wanted.from > 0)) {
    return { status: 416, headers: unsatisfiedRange(character, bytes.length), body: Buffer.alloc(0) };
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
  return { status: how === 'labelled' ? 200 : 206, headers: [...validators, ...place], body };
}

function unsatisfiedRange({ unsatisfied }: Character, size: number): readonly string[] {
  if (unsatisfied === 'absent') return [];
  return [`content-range: bytes */${unsatisfied === 'total' ? size : size + 7}`];
}

function sentRange(
  how: Character['ranges'],
  { from, end }: { readonly from: number; readonly end: number },
  limit: number,
  size: number,
  random: Random,
): { readonly from: number; readonly end: number } {
  if (how === 'shorter' || how === 'labelled') return { from, end: Math.min(end, from + limit) };
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

/** Returns the validators of a version, as one connection sends them. */
export function validatorsOf(
  { validator }: Character,
  random: Random,
  { number }: Version,
  connection: number,
): readonly string[] {
  if (validator === 'none' || (validator === 'sometimes' && random() < 0.3)) return [];
  if (validator === 'weak') return [`ETag: W/"${number}"`];
  const date = `Last-Modified: Sat, 28 Nov 2026 00:00:${String(number % 60).padStart(2, '0')} GMT`;
  if (validator === 'date') return [date];
  if (validator === 'dated') return ['ETag: W/"same"', date];
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

/** Returns the requested range, from the header or the query. */
export function wantedOf({ range, target }: FreeRequest): Wanted | undefined {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  const [, queryFrom, queryTo] = /[?&]range=(\d+)-(\d*)/.exec(target) ?? [];
  if (queryFrom !== undefined) return { from: Number(queryFrom), end: endOf(queryTo), isQuery: true };
  return from === undefined ? undefined : { from: Number(from), end: endOf(to), isQuery: false };
}

function endOf(to: string | undefined): number {
  return to === undefined || to === '' ? Number.POSITIVE_INFINITY : Number(to) + 1;
}
