import { type buildConnector, errors } from 'undici';
import type { BodySink, ResponseHead } from '../egress.ts';
import { transportError } from '../transport-errors.ts';
import type { BulkConnection } from './bulk-connection.ts';
import { createConnectionPool } from './connection-pool.ts';
import type { ParsedHead } from './response-head.ts';

/** A request without a body. */
export interface BulkRequest {
  readonly url: URL;
  /** By lower-case name; {@link isBulkHeader} accepts each. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Timeouts in milliseconds: for the head of the response, and between two chunks of its body. */
  readonly headTimeout: number;
  readonly idleTimeout: number;
}

/** Sends GET requests whose responses may be large. */
export interface BulkClient {
  /**
   * Sends a request and writes the body to the sink that `receive` returns; without a sink the body is not read. Chunks
   * are only valid during the sink's `write`.
   *
   * @throws MillraceError `connection_error`, `operation_timeout` or `address_refused`; errors of `receive` and the
   * sink; the signal's reason.
   */
  send(request: BulkRequest, receive: (head: ResponseHead) => BodySink | undefined): Promise<ResponseHead>;
  close(): void;
}

/** Headers about the connection or a body. Requests with them are left to undici. */
const connectionHeaders = new Set([
  ...['connection', 'content-length', 'expect', 'host', 'keep-alive', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade'],
]);

/** Whether a header can be sent unchanged. */
export function isBulkHeader(name: string, value: string): boolean {
  return (
    /^[!#$%&'*+\-.^_`|~\da-z]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value) && !connectionHeaders.has(name)
  );
}

/** Creates a client that opens its connections with `connect`, at most `maxPerOrigin` to one origin. */
export function createBulkClient(connect: buildConnector.connector, maxPerOrigin: number): BulkClient {
  const pool = createConnectionPool(connect, maxPerOrigin);
  return {
    async send(request, receive) {
      const { url, signal } = request;
      const connection = await pool.acquire(url, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        throw transportError(error, url.host);
      });
      if (signal.aborted) pool.release(url, connection);
      signal.throwIfAborted();
      const { head, parsedHead } = await exchange(connection, request, receive);
      if (parsedHead?.reusable === true) pool.release(url, connection, parsedHead.keepAlive);
      else connection.destroy();
      return head;
    },
    close: () => pool.close(),
  };
}

/** A response. `parsed` is set if it was read to its end, so that the connection may be reused. */
interface Exchange {
  readonly head: ResponseHead;
  readonly parsedHead?: ParsedHead;
}

function exchange(
  connection: BulkConnection,
  request: BulkRequest,
  receive: (head: ResponseHead) => BodySink | undefined,
): Promise<Exchange> {
  const { signal, url } = request;
  const { promise, resolve, reject } = Promise.withResolvers<Exchange>();
  let response:
    | { readonly head: ResponseHead; readonly parsedHead: ParsedHead; readonly sink: BodySink | undefined }
    | undefined;
  let isPaused = false;
  let complete = false;
  let settled = false;
  let timer: NodeJS.Timeout = setTimeout(() => onTimeout(new errors.HeadersTimeoutError()), request.headTimeout);

  const settle = (finish: () => void) => {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    finish();
  };
  const fail = (error: unknown) =>
    settle(() => {
      connection.destroy();
      reject(error);
    });
  const failTransport = (error: unknown) => fail(transportError(error, url.host));
  const onAbort = () => fail(signal.reason);
  const onTimeout = (error: Error) => {
    // The server is not late while the connection is paused, or has received what is still to be read.
    if (isPaused || connection.isBehind) timer.refresh();
    else failTransport(error);
  };
  const stop = (head: ResponseHead) => settle(() => resolve({ head }));
  const end = () => {
    if (response === undefined) return;
    const { head, parsedHead } = response;
    settle(() => resolve({ head, parsedHead }));
  };

  signal.addEventListener('abort', onAbort);
  connection.send(requestText(request), {
    head(parsedHead) {
      clearTimeout(timer);
      const head = { status: parsedHead.status, headers: parsedHead.headers, url: url.href };
      try {
        const sink = receive(head);
        response = { head, parsedHead, sink };
        if (sink === undefined && parsedHead.framing !== 0) stop(head);
        else timer = setTimeout(() => onTimeout(new errors.BodyTimeoutError()), request.idleTimeout);
      } catch (error) {
        fail(error);
      }
    },
    body(chunk) {
      if (settled || response === undefined) return false;
      const { head, sink } = response;
      timer.refresh();
      let result: ReturnType<BodySink['write']>;
      try {
        result = sink?.write(chunk);
      } catch (error) {
        fail(error);
        return false;
      }
      if (result === false) stop(head);
      if (!(result instanceof Promise)) return !settled;
      isPaused = true;
      connection.pause();
      result.then((more) => {
        isPaused = false;
        if (settled) return;
        if (more === false) stop(head);
        else if (complete) end();
        else connection.resume();
      }, fail);
      return false;
    },
    end() {
      complete = true;
      if (!isPaused) end();
    },
    error: failTransport,
  });
  return promise;
}

function requestText({ url, headers }: BulkRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: keep-alive\r\n${lines.join('')}\r\n`;
}
