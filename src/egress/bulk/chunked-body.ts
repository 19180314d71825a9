import { maxHeaderSize } from 'node:http';
import { errors } from 'undici';
import { malformedResponse } from '../transport-errors.ts';

/** Maximum bytes of the line before a chunk, including its extensions. */
const MAX_CHUNK_LINE = 4096;
/** Maximum hexadecimal digits of a chunk's size. */
const MAX_SIZE_DIGITS = 12;
/** Up to this length, single bytes are moved faster than by a call. */
const SHORT = 64;

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const SEMICOLON = 0x3b;

/** The part that is read next. The line before a chunk consists of `size`, `space`, `extension` and `line-end`. */
type State = 'size' | 'space' | 'extension' | 'line-end' | 'data' | 'chunk-end' | 'trailers' | 'ended';

/** What one call of {@link ChunkedBody.read} found. */
export interface Unframed {
  /** The data of all chunks, in the given buffer. */
  readonly data: Buffer;
  /** The unread bytes, in the given buffer: those after the body, or from an invalid byte on. */
  readonly rest: Buffer;
}

/**
 * Reads a body in chunks (RFC 9112 §7.1). Chunks may be of one byte each, so the data of all chunks that have arrived is
 * moved together, and nothing is allocated or called for a single one.
 */
export class ChunkedBody {
  #state: State = 'size';
  /** Remaining bytes of the current chunk. */
  #left = 0;
  #digits = 0;
  /** Length of the current line so far. */
  #lineBytes = 0;
  #trailerBytes = 0;
  #afterCarriageReturn = false;

  /** Whether the body is complete. */
  get ended(): boolean {
    return this.#state === 'ended';
  }

  /**
   * Removes the framing from bytes, which it overwrites.
   *
   * @throws HTTPParserError, HeadersOverflowError. Data in front of the invalid byte is returned first; the next call
   * throws.
   */
  read(bytes: Buffer): Unframed {
    let begin = 0;
    let end = 0;
    let at = 0;
    try {
      while (at < bytes.length && this.#state !== 'ended') {
        if (this.#state === 'data') {
          const next = Math.min(bytes.length, at + this.#left);
          if (begin === end) [begin, end] = [at, next];
          else end = move(bytes, at, next, end);
          this.#left -= next - at;
          at = next;
          if (this.#left === 0) this.#state = 'chunk-end';
        } else {
          this.#pass(bytes[at] ?? LF);
          at += 1;
        }
      }
    } catch (error) {
      if (begin === end) throw error;
    }
    return { data: bytes.subarray(begin, end), rest: bytes.subarray(at) };
  }

  /** Passes one byte outside the data. It changes nothing if it throws. */
  #pass(byte: number): void {
    if (byte === LF && !this.#afterCarriageReturn) throw bareLineFeed();
    switch (this.#state) {
      case 'chunk-end':
        this.#passChunkEnd(byte);
        break;
      case 'trailers':
        this.#passTrailer(byte);
        break;
      default:
        this.#passChunkLine(byte);
    }
    this.#afterCarriageReturn = byte === CR;
  }

  #passChunkLine(byte: number): void {
    if (this.#lineBytes >= MAX_CHUNK_LINE + 2) throw malformedResponse('one of its lines is too long');
    if (byte === LF) {
      this.#endChunkLine();
      return;
    }
    if (this.#state !== 'extension') this.#passSize(byte);
    this.#lineBytes += 1;
  }

  #passSize(byte: number): void {
    const digit = this.#state === 'size' ? digitOf(byte) : -1;
    if (digit >= 0 && this.#digits < MAX_SIZE_DIGITS) {
      this.#left = this.#left * 16 + digit;
      this.#digits += 1;
    } else if (this.#digits === 0 || this.#state === 'line-end') throw invalidSize();
    else if (byte === SPACE || byte === TAB) this.#state = 'space';
    else if (byte === SEMICOLON) this.#state = 'extension';
    else if (byte === CR) this.#state = 'line-end';
    else throw invalidSize();
  }

  #endChunkLine(): void {
    this.#state = this.#left === 0 ? 'trailers' : 'data';
    this.#digits = 0;
    this.#lineBytes = 0;
  }

  #passChunkEnd(byte: number): void {
    if (byte === LF) this.#state = 'size';
    else if (byte !== CR || this.#afterCarriageReturn) {
      throw malformedResponse('one of its chunks is longer than its announced size');
    }
  }

  #passTrailer(byte: number): void {
    if (this.#trailerBytes >= maxHeaderSize) throw new errors.HeadersOverflowError();
    this.#trailerBytes += 1;
    this.#lineBytes += 1;
    if (byte !== LF) return;
    // An empty line is the end.
    if (this.#lineBytes === 2) this.#state = 'ended';
    this.#lineBytes = 0;
  }
}

/** Moves bytes to an earlier place, and returns where they end there. */
function move(bytes: Buffer, from: number, end: number, to: number): number {
  if (end - from > SHORT) bytes.copyWithin(to, from, end);
  else for (let at = 0; at < end - from; at += 1) bytes[to + at] = bytes[from + at] ?? 0;
  return to + end - from;
}

/** Returns the value of a hexadecimal digit, or -1. */
function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** Returns the error for a line that does not end with CR LF. */
export function bareLineFeed(): Error {
  return malformedResponse('one of its lines does not end with CR LF');
}

function invalidSize(): Error {
  return malformedResponse('the size of one of its chunks is invalid');
}
