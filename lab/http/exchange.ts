import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { JournalEntry } from './journal.ts';

/** Limit of what a media link sends. */
export interface LinkLimit {
  /** Returns how many of the next bytes from an offset of the file on may be sent: all, or fewer if the link dies. */
  allowed(offset: number, bytes: number): number;
  /** Called when bytes were sent through the link. */
  sent(bytes: number): void;
}

/** One request to the lab and its pending response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Host that the client addressed: lower case, without port. */
  readonly host: string;
  /** Address that the client requested. */
  readonly url: URL;
  /** Upper-case code of the country that the client appears to be in. */
  readonly country: string;
  /** Whole body of the request; empty for PUT, whose body may be large, so its handler reads it from the request. */
  readonly body: Buffer;
  readonly entry: JournalEntry;
  /** Aborted when the connection closes. */
  readonly disconnected: AbortSignal;
  /** Changes the body of the response, unless it is media. */
  readonly change?: (body: Buffer) => Buffer;
  /** The limit of the requested media link, if it has one. */
  readonly link?: LinkLimit;
}

/** Error for an invalid request. The lab responds with 400 and the error's message. */
export class RequestError extends Error {
  override readonly name: string = 'RequestError';
}

/** Handles an exchange until its response is complete. */
export type Handler = (exchange: Exchange) => Promise<void> | void;

/** Responds with text. A HEAD request gets only the headers. */
export function sendText(exchange: Exchange, status: number, text: string, headers: OutgoingHttpHeaders = {}): void {
  sendBytes(exchange, status, Buffer.from(text), { 'content-type': 'text/plain; charset=utf-8', ...headers });
}

/** Responds with JSON. */
export function sendJson(exchange: Exchange, status: number, value: unknown, headers: OutgoingHttpHeaders = {}): void {
  sendBytes(exchange, status, Buffer.from(JSON.stringify(value)), { 'content-type': 'application/json', ...headers });
}

/** Responds with bytes. */
export function sendBytes(
  { request, response, entry, change }: Exchange,
  status: number,
  content: Buffer,
  headers: OutgoingHttpHeaders,
): void {
  const bytes = change?.(content) ?? content;
  entry.status = status;
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  const body = request.method === 'HEAD' ? undefined : bytes;
  entry.bytesSent = body?.length ?? 0;
  entry.complete = true;
  response.end(body);
}

/** Bytes that {@link sendFilled} makes at a time. */
const FILLED_CHUNK_BYTES = 64 * 1024;

/**
 * Responds with `start` and then with repeated `filler` up to `size` bytes. They are made while the client reads them: a
 * client that disconnects at the headers costs the lab nothing, and other responses don't wait for the bytes.
 */
export async function sendFilled(
  { request, response, entry, disconnected }: Exchange,
  { start, filler, size }: { readonly start: string; readonly filler: string; readonly size: number },
  headers: OutgoingHttpHeaders,
): Promise<void> {
  entry.status = 200;
  response.writeHead(200, { ...headers, 'content-length': size });
  response.flushHeaders();
  if (request.method === 'HEAD') {
    entry.complete = true;
    response.end();
    return;
  }
  const chunk = Buffer.alloc(FILLED_CHUNK_BYTES, filler);
  const chunks = function* () {
    const first = Buffer.from(start);
    entry.bytesSent += first.length;
    yield first;
    for (let left = size - first.length; left > 0; left -= chunk.length) {
      const part = chunk.subarray(0, left);
      entry.bytesSent += part.length;
      yield part;
    }
    entry.complete = true;
  };
  try {
    await pipeline(Readable.from(chunks()), response, { signal: disconnected });
  } catch (error) {
    if (!disconnected.aborted) throw error;
  }
}
