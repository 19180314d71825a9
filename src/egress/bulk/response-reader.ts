import { maxHeaderSize } from 'node:http';
import { errors } from 'undici';
import { malformedResponse } from '../transport-errors.ts';
import { type Framing, type ParsedHead, parseHead } from './response-head.ts';

/** Maximum bytes of the line before a chunk, including its extensions. */
const MAX_CHUNK_LINE = 4096;

/** Receives a response as it is read. */
export interface ResponseHandler {
  /** Receives the final head; those of interim responses (1xx) are skipped. */
  head(head: ParsedHead): void;
  /** Receives part of the body, in a buffer that is reused after the call. Returns whether to continue now. */
  body(chunk: Buffer): boolean;
  /** The response is complete. */
  end(): void;
}

/** What the reader expects next on the connection. */
type State = 'head' | 'fixed' | 'chunk-line' | 'chunk-data' | 'chunk-end' | 'trailers' | 'until-close' | 'ended';

/** Reads one HTTP/1.1 response (RFC 9112) from the bytes of a connection. */
export class ResponseReader {
  readonly #handler: ResponseHandler;
  #state: State = 'head';
  /** The incomplete line or head at the end of the received bytes. */
  #partial: Buffer = Buffer.alloc(0);
  /** Remaining bytes of the body or of the current chunk. */
  #left = 0;
  #trailerBytes = 0;

  constructor(handler: ResponseHandler) {
    this.#handler = handler;
  }

  /** Whether the response is complete. */
  get ended(): boolean {
    return this.#state === 'ended';
  }

  /**
   * Reads bytes until the handler pauses.
   *
   * @returns The unread bytes, which are still in the given buffer.
   * @throws HTTPParserError, HeadersOverflowError, or an error of the handler.
   */
  read(bytes: Buffer): Buffer {
    let rest = bytes;
    for (let more = true; more && rest.length > 0 && this.#state !== 'ended'; ) {
      const before = rest;
      [rest, more] = this.#step(before);
    }
    return rest;
  }

  /**
   * Handles the end of the connection.
   *
   * @throws SocketError if the response is incomplete.
   */
  close(): void {
    if (this.#state === 'until-close') this.#end();
    else if (this.#state !== 'ended') throw new errors.SocketError('other side closed');
  }

  #step(bytes: Buffer): [rest: Buffer, more: boolean] {
    switch (this.#state) {
      case 'head':
        return [this.#readHead(bytes), true];
      case 'fixed':
      case 'chunk-data':
      case 'until-close':
        return this.#readBody(bytes);
      case 'chunk-line':
        return [this.#readLine(bytes, MAX_CHUNK_LINE, (line) => this.#beginChunk(line)), true];
      case 'chunk-end':
        return [this.#readLine(bytes, 2, (line) => this.#endChunk(line)), true];
      case 'trailers':
        return [this.#readLine(bytes, maxHeaderSize, (line) => this.#passTrailer(line)), true];
      case 'ended':
        return [bytes, false];
    }
  }

  #readHead(bytes: Buffer): Buffer {
    const partialLength = this.#partial.length;
    const all = partialLength === 0 ? bytes : Buffer.concat([this.#partial, bytes]);
    const end = all.indexOf('\r\n\r\n');
    const firstLineEnd = all.indexOf('\n');
    // Such a head has no end, and would be waited for.
    if (firstLineEnd >= 0 && all[firstLineEnd - 1] !== 0x0d) throw bareLineFeed();
    if ((end < 0 ? all.length : end) > maxHeaderSize) throw new errors.HeadersOverflowError();
    if (end < 0) {
      this.#partial = Buffer.from(all);
      return Buffer.alloc(0);
    }
    this.#partial = Buffer.alloc(0);
    const head = parseHead(all.toString('latin1', 0, end));
    const rest = bytes.subarray(end + 4 - partialLength);
    if (head.status === 101) throw malformedResponse('it switches to another protocol');
    if (head.status < 200) return rest;
    this.#begin(head.framing);
    this.#handler.head(head);
    if (head.framing === 0) this.#end();
    return rest;
  }

  #begin(framing: Framing): void {
    if (typeof framing === 'number') this.#left = framing;
    this.#state = framing === 'chunked' ? 'chunk-line' : framing === 'until-close' ? 'until-close' : 'fixed';
  }

  #readBody(bytes: Buffer): [rest: Buffer, more: boolean] {
    const chunk = this.#state === 'until-close' ? bytes : bytes.subarray(0, this.#left);
    const rest = bytes.subarray(chunk.length);
    this.#left -= chunk.length;
    const state = this.#state;
    const complete = state !== 'until-close' && this.#left === 0;
    if (complete && state === 'chunk-data') this.#state = 'chunk-end';
    const more = this.#handler.body(chunk);
    if (complete && state === 'fixed') this.#end();
    return [rest, more];
  }

  /** Reads up to the end of a line of at most `limit` bytes. */
  #readLine(bytes: Buffer, limit: number, onLine: (line: string) => void): Buffer {
    const end = bytes.indexOf('\n');
    const line = Buffer.concat([this.#partial, end < 0 ? bytes : bytes.subarray(0, end + 1)]);
    if (line.length > limit + 2) throw malformedResponse('one of its lines is too long');
    if (end < 0) {
      this.#partial = line;
      return Buffer.alloc(0);
    }
    this.#partial = Buffer.alloc(0);
    if (line.at(-2) !== 0x0d) throw bareLineFeed();
    onLine(line.toString('latin1', 0, line.length - 2));
    return bytes.subarray(end + 1);
  }

  #beginChunk(line: string): void {
    const [, size] = /^([\dA-Fa-f]{1,12})[\t ]*(?:;|$)/.exec(line) ?? [];
    if (size === undefined) throw malformedResponse('the size of one of its chunks is invalid');
    this.#left = Number.parseInt(size, 16);
    this.#state = this.#left === 0 ? 'trailers' : 'chunk-data';
  }

  #endChunk(line: string): void {
    if (line !== '') throw malformedResponse('one of its chunks is longer than its announced size');
    this.#state = 'chunk-line';
  }

  #passTrailer(line: string): void {
    this.#trailerBytes += line.length + 2;
    if (this.#trailerBytes > maxHeaderSize) throw new errors.HeadersOverflowError();
    if (line === '') this.#end();
  }

  #end(): void {
    this.#state = 'ended';
    this.#handler.end();
  }
}

function bareLineFeed(): Error {
  return malformedResponse('one of its lines does not end with CR LF');
}
