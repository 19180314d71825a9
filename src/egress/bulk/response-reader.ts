import { maxHeaderSize } from 'node:http';
import { errors } from 'undici';
import { checkInterimCount } from '../interim-responses.ts';
import { malformedResponse } from '../transport-errors.ts';
import { bareLineFeed, ChunkedBody } from './chunked-body.ts';
import { type Framing, type ParsedHead, parseHead } from './response-head.ts';

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
type State = 'head' | 'fixed' | 'chunks' | 'until-close' | 'ended';

/** Reads one HTTP/1.1 response (RFC 9112) from the bytes of a connection. */
export class ResponseReader {
  readonly #handler: ResponseHandler;
  #state: State = 'head';
  /** The incomplete head at the end of the received bytes. */
  #partial: Buffer = Buffer.alloc(0);
  #interim = 0;
  /** Remaining bytes of a body with a length. */
  #left = 0;
  readonly #chunks = new ChunkedBody();

  constructor(handler: ResponseHandler) {
    this.#handler = handler;
  }

  /** Whether the response is complete. */
  get ended(): boolean {
    return this.#state === 'ended';
  }

  /**
   * Reads bytes, which it may overwrite, until the handler pauses.
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
      case 'until-close':
        return this.#readBody(bytes);
      case 'chunks':
        return this.#readChunks(bytes);
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
    if (head.status < 200) {
      this.#interim += 1;
      checkInterimCount(this.#interim);
      return rest;
    }
    this.#begin(head.framing);
    this.#handler.head(head);
    if (head.framing === 0) this.#end();
    return rest;
  }

  #begin(framing: Framing): void {
    if (typeof framing === 'number') this.#left = framing;
    this.#state = framing === 'chunked' ? 'chunks' : framing === 'until-close' ? 'until-close' : 'fixed';
  }

  #readBody(bytes: Buffer): [rest: Buffer, more: boolean] {
    const chunk = this.#state === 'until-close' ? bytes : bytes.subarray(0, this.#left);
    const rest = bytes.subarray(chunk.length);
    this.#left -= chunk.length;
    const complete = this.#state === 'fixed' && this.#left === 0;
    const more = this.#handler.body(chunk);
    if (complete) this.#end();
    return [rest, more];
  }

  #readChunks(bytes: Buffer): [rest: Buffer, more: boolean] {
    const { data, rest } = this.#chunks.read(bytes);
    const more = data.length === 0 || this.#handler.body(data);
    if (this.#chunks.ended) this.#end();
    return [rest, more];
  }

  #end(): void {
    this.#state = 'ended';
    this.#handler.end();
  }
}
