import { type buildConnector, errors } from 'undici';
import type { Connection } from './bulk-connection.ts';
import { createConnections } from './bulk-connections.ts';
import type { BodySink, ResponseHead } from './egress.ts';
import { transportError } from './errors.ts';
import type { ParsedHead } from './response-head.ts';

/** A request without a body. */
export interface BulkRequest {
  readonly url: URL;
  /** By lower-case name; {@link isBulkHeader} accepts each. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Milliseconds until the head of the response must be there, and of silence in its body. */
  readonly headTimeout: number;
  readonly idleTimeout: number;
}

/** Sends GET requests whose responses may be large. */
export interface BulkClient {
  /**
   * Sends a request and hands the body to the sink that `receive` returns; without a sink the body is not read. Chunks are
   * only valid during the sink's `write`.
   *
   * @throws MillraceError `connection_error`, `operation_timeout` or `address_refused`; whatever `receive` or the sink
   *   throws; the signal's reason.
   */
  send(request: BulkRequest, receive: (head: ResponseHead) => BodySink | undefined): Promise<ResponseHead>;
  close(): void;
}

/** Headers that say something about the connection or a body: requests with them are left to undici. */
const ownHeaders = new Set([
  ...['connection', 'content-length', 'expect', 'host', 'keep-alive', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade'],
]);

/** Whether a header can be sent as it is. */
export function isBulkHeader(name: string, value: string): boolean {
  return /^[!#$%&'*+\-.^_`|~\da-z]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value) && !ownHeaders.has(name);
}

/** Makes a client that opens its connections with `connect`, at most so many to one origin. */
export function createBulkClient(connect: buildConnector.connector, mostOfOrigin: number): BulkClient {
  const connections = createConnections(connect, mostOfOrigin);
  return {
    async send(request, receive) {
      const { url, signal } = request;
      const connection = await connections.take(url, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        throw transportError(error, url.host);
      });
      if (signal.aborted) connections.give(url, connection);
      signal.throwIfAborted();
      const { head, parsed } = await exchange(connection, request, receive);
      if (parsed?.reusable === true) connections.give(url, connection, parsed.keepAlive);
      else connection.destroy();
      return head;
    },
    close: () => connections.close(),
  };
}

/** A response that was taken; `parsed` if the connection was read to its end. */
interface Exchanged {
  readonly head: ResponseHead;
  readonly parsed?: ParsedHead;
}

function exchange(
  connection: Connection,
  request: BulkRequest,
  receive: (head: ResponseHead) => BodySink | undefined,
): Promise<Exchanged> {
  const { signal, url } = request;
  const { promise, resolve, reject } = Promise.withResolvers<Exchanged>();
  let answer:
    | { readonly head: ResponseHead; readonly parsed: ParsedHead; readonly sink: BodySink | undefined }
    | undefined;
  let waits = false;
  let complete = false;
  let settled = false;
  let timer: NodeJS.Timeout = setTimeout(() => broke(new errors.HeadersTimeoutError()), request.headTimeout);

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
  const broke = (error: unknown) => fail(transportError(error, url.host));
  const onAbort = () => fail(signal.reason);
  const onSilence = () => {
    // A sender that is held back cannot say anything.
    if (waits) timer.refresh();
    else broke(new errors.BodyTimeoutError());
  };
  const enough = (head: ResponseHead) => settle(() => resolve({ head }));
  const end = () => {
    if (answer === undefined) return;
    const { head, parsed } = answer;
    settle(() => resolve({ head, parsed }));
  };

  signal.addEventListener('abort', onAbort);
  connection.begin(textOf(request), {
    head(parsed) {
      clearTimeout(timer);
      const head = { status: parsed.status, headers: parsed.headers, url: url.href };
      try {
        const sink = receive(head);
        answer = { head, parsed, sink };
        if (sink === undefined && parsed.framing !== 0) enough(head);
        else timer = setTimeout(onSilence, request.idleTimeout);
      } catch (error) {
        fail(error);
      }
    },
    body(chunk) {
      if (settled || answer === undefined) return false;
      const { head, sink } = answer;
      timer.refresh();
      let taken: ReturnType<BodySink['write']>;
      try {
        taken = sink?.write(chunk);
      } catch (error) {
        fail(error);
        return false;
      }
      if (taken === false) enough(head);
      if (!(taken instanceof Promise)) return !settled;
      waits = true;
      connection.hold();
      taken.then((more) => {
        waits = false;
        if (settled) return;
        if (more === false) enough(head);
        else if (complete) end();
        else connection.resume();
      }, fail);
      return false;
    },
    end() {
      complete = true;
      if (!waits) end();
    },
    failed: broke,
  });
  return promise;
}

function textOf({ url, headers }: BulkRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: keep-alive\r\n${lines.join('')}\r\n`;
}
