import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { JournalEntry } from './journal.ts';

/** One request to the lab and its answer to be. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The host that the client believes it talks to: lower case, without port. */
  readonly host: string;
  /** The address that the client believes it asks. */
  readonly url: URL;
  /** Upper-case code of the country that the client seems to be in. */
  readonly country: string;
  /** The request's whole body. */
  readonly body: Buffer;
  readonly entry: JournalEntry;
  /** Aborted when the connection is gone. */
  readonly disconnected: AbortSignal;
}

/** A request that makes no sense: the mistake of who asks, answered 400 with its message. */
export class RequestError extends Error {
  override readonly name: string = 'RequestError';
}

/** Answers an exchange to its end. */
export type Handler = (exchange: Exchange) => Promise<void> | void;

/** Answers with text. A HEAD request gets the head alone. */
export function sendText(exchange: Exchange, status: number, text: string, headers: OutgoingHttpHeaders = {}): void {
  sendBytes(exchange, status, Buffer.from(text), { 'content-type': 'text/plain; charset=utf-8', ...headers });
}

/** Answers with JSON. */
export function sendJson(exchange: Exchange, status: number, value: unknown, headers: OutgoingHttpHeaders = {}): void {
  sendBytes(exchange, status, Buffer.from(JSON.stringify(value)), { 'content-type': 'application/json', ...headers });
}

/** Answers with bytes. */
export function sendBytes(
  { request, response, entry }: Exchange,
  status: number,
  bytes: Buffer,
  headers: OutgoingHttpHeaders,
): void {
  entry.status = status;
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  const body = request.method === 'HEAD' ? undefined : bytes;
  entry.bytesSent = body?.length ?? 0;
  entry.complete = true;
  response.end(body);
}
