import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Handles the requests for one path of a test origin. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** A request received by the origin. */
export interface ReceivedRequest {
  readonly url: string;
  readonly range: string | undefined;
  readonly headers: IncomingMessage['headers'];
}

/**
 * Starts a small HTTP origin on loopback, for tests.
 *
 * @param requestLog Receives every request.
 */
export async function startOrigin(handlers: Record<string, RequestHandler>, requestLog: ReceivedRequest[] = []) {
  const server = createServer((request, response) => {
    requestLog.push({ url: request.url ?? '', range: request.headers.range, headers: request.headers });
    const handler = handlers[(request.url ?? '').split('?', 1)[0] ?? ''];
    if (handler === undefined) response.writeHead(404).end();
    else handler(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** Every request so far, in order. */
    requestLog,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Reads a request's `Range` header against a size. */
export function rangeOf(request: IncomingMessage, size: number): { from: number; to: number } | undefined {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  if (from === undefined) return undefined;
  return { from: Number(from), to: to === '' || to === undefined ? size - 1 : Math.min(Number(to), size - 1) };
}

/**
 * Returns a handler that serves bytes with ranges; `cutAfter` may close a connection after a number of bytes of its
 * body.
 */
export function serveRanges(
  body: Buffer,
  cutAfter: (from: number) => number | undefined = () => undefined,
): RequestHandler {
  return (request, response) => {
    const range = rangeOf(request, body.length);
    const { from, to } = range ?? { from: 0, to: body.length - 1 };
    if (from >= body.length) {
      response.writeHead(416, { 'content-range': `bytes */${body.length}` }).end();
      return;
    }
    const part = body.subarray(from, to + 1);
    response.writeHead(range === undefined ? 200 : 206, {
      'content-length': part.length,
      etag: '"1"',
      ...(range === undefined ? {} : { 'content-range': `bytes ${from}-${to}/${body.length}` }),
    });
    sendTruncated(response, part, cutAfter(from));
  };
}

/** Returns a handler that serves all bytes, whatever range is requested. */
export function serveWhole(body: Buffer, cutAfter: () => number | undefined = () => undefined): RequestHandler {
  return (_request, response) => {
    response.writeHead(200, { 'content-length': body.length });
    sendTruncated(response, body, cutAfter());
  };
}

function sendTruncated(response: ServerResponse, part: Buffer, cutAfter: number | undefined): void {
  if (cutAfter === undefined || cutAfter >= part.length) response.end(part);
  else response.write(part.subarray(0, cutAfter), () => response.destroy());
}
