import type { IncomingHttpHeaders } from 'node:http';
import type { OnReadOpts } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import { MillraceError } from '../contract/errors.ts';
import type { SettingValues } from '../settings/setting.ts';
import { type BulkRequest, createBulkClient, isBulkHeader } from './bulk-client.ts';
import { sharedBuffer } from './bulk-connection.ts';
import { createConnector, type OpenTunnel, type Resolve } from './connect.ts';
import { type BoundHeaders, bindHeaders, headersFor, withoutBodyHeaders } from './credentials.ts';
import { transportError } from './errors.ts';
import { type AddressGuard, createGuard, refused } from './guard.ts';
import type { egressSettings } from './settings.ts';

const MAX_REDIRECTS = 5;
const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_CONNECTIONS_PER_ORIGIN = 256;

/** A request to the outside. */
export interface EgressRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  /** Sent to the origin that they are bound to; {@link headersFor} decides which ones other origins get. */
  readonly headers?: BoundHeaders;
  readonly body?: string;
  /** False: a redirect is an answer like any other. */
  readonly followRedirects?: boolean;
  readonly signal: AbortSignal;
  /** Milliseconds until the head of an answer must be there; default 30,000. */
  readonly headTimeout?: number;
  /** Milliseconds of silence after which a body counts as broken; default 30,000. */
  readonly idleTimeout?: number;
  /**
   * The sink copies what it keeps: a chunk may lie in a buffer that is reused once `write` has returned. Large bodies then
   * take half of the processor time.
   */
  readonly copied?: true;
}

/** The head of an answer. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The address that answered, after redirects. */
  readonly url: string;
}

/** Takes a body as it arrives. */
export interface BodySink {
  /** A promise holds the sender back until it settles; `false` means that no more is wanted. */
  write(chunk: Buffer): undefined | false | Promise<undefined | false>;
}

/** A way out to the network. There is no other but these. */
export interface Egress {
  /**
   * Asks, follows redirects within bounds, and hands the body of the final answer to the sink that `receive` returns;
   * without a sink the body is not read. Settles when the body is complete or no longer wanted.
   *
   * Each request on the way carries the headers that its origin may see. A 307 or 308 repeats a POST only within the
   * origin that redirects.
   *
   * @throws MillraceError `connection_error`, `operation_timeout`, `unexpected_redirect`, `address_refused`; whatever
   *   `receive` or the sink throws; the signal's reason.
   */
  exchange(request: EgressRequest, receive: (head: ResponseHead) => BodySink | undefined): Promise<ResponseHead>;
  close(): Promise<void>;
}

/** Settings of every way out. */
export type EgressSettings = Pick<SettingValues<typeof egressSettings>, 'EGRESS_ALLOW' | 'EGRESS_CONNECT_TO'>;

/** Opens a way out under the rules of the operator's settings: straight, or through a proxy. */
export function createEgress(settings: EgressSettings, resolve?: Resolve, tunnel?: OpenTunnel): Egress {
  const guard = createGuard(settings.EGRESS_ALLOW);
  const connector = (onread?: OnReadOpts) =>
    createConnector(guard, settings.EGRESS_CONNECT_TO, resolve, tunnel, onread);
  const agent = new Agent({ connect: connector(), connections: MAX_CONNECTIONS_PER_ORIGIN, pipelining: 1 });
  const bulk = createBulkClient(connector(sharedBuffer), MAX_CONNECTIONS_PER_ORIGIN);
  return {
    async exchange(request, receive) {
      const { headers = bindHeaders(request.url, {}) } = request;
      let hop: Hop = { ...request, headers, url: parseTarget(request.url, guard) };
      for (let redirects = 0; ; redirects += 1) {
        let next: Hop | undefined;
        const { url } = hop;
        const take = (head: ResponseHead) => {
          next = request.followRedirects === false ? undefined : redirectOf(head, hop, guard);
          return next === undefined ? receive(head) : undefined;
        };
        const plain = bulkRequest(hop);
        const head = await (plain === undefined ? send(agent, hop, take) : bulk.send(plain, take));
        if (next === undefined) return head;
        if (redirects >= MAX_REDIRECTS) {
          throw new MillraceError('unexpected_redirect', `${url.host} redirected more than ${MAX_REDIRECTS} times.`);
        }
        hop = next;
      }
    },
    async close() {
      bulk.close();
      await agent.destroy();
    },
  };
}

type Hop = Omit<EgressRequest, 'url' | 'headers'> & { readonly url: URL; readonly headers: BoundHeaders };

function parseTarget(text: string, guard: AddressGuard, base?: URL): URL {
  const url = URL.parse(text, base);
  if (url === null) throw new MillraceError('invalid_url', 'The address to fetch is not a URL.');
  if (url.username !== '' || url.password !== '') {
    throw refused(`The address of ${url.host} holds a user name or password; send an Authorization header instead.`);
  }
  guard.checkUrl(url);
  return url;
}

/** The request that a redirect asks for, or undefined when the answer is none. */
function redirectOf(head: ResponseHead, hop: Hop, guard: AddressGuard): Hop | undefined {
  const { location } = head.headers;
  if (![301, 302, 303, 307, 308].includes(head.status) || location === undefined) return undefined;
  const url = parseTarget(location, guard, hop.url);
  if (hop.method !== 'POST') return { ...hop, url };
  if (head.status !== 307 && head.status !== 308) {
    const { body: _dropped, ...asGet } = hop;
    return { ...asGet, url, method: 'GET', headers: withoutBodyHeaders(hop.headers) };
  }
  // The status requires the same method, so it does not become a GET either (RFC 9110 §15.4.8).
  if (url.origin !== hop.url.origin) throw bodyElsewhere(head.status, hop.url, url);
  return { ...hop, url };
}

function bodyElsewhere(status: number, from: URL, to: URL): MillraceError {
  const message =
    `${from.host} redirected a POST to another origin with status ${status}; its body is not sent there. ` +
    `If ${to.origin} is meant to receive it, request that address directly.`;
  return new MillraceError('unexpected_redirect', message, { retryable: false });
}

/** The request as the bulk client sends it; undefined if only undici can, or its sink keeps chunks. */
function bulkRequest(hop: Hop): BulkRequest | undefined {
  const { url, signal, headTimeout = DEFAULT_TIMEOUT_MS, idleTimeout = DEFAULT_TIMEOUT_MS } = hop;
  const headers = headersFor(url, hop.headers);
  const plain = hop.copied === true && hop.method !== 'POST' && hop.body === undefined;
  if (!plain || !Object.entries(headers).every(([name, value]) => isBulkHeader(name, value))) return undefined;
  return { url, headers, signal, headTimeout, idleTimeout };
}

/** One request and its answer, without redirects. */
function send(agent: Agent, hop: Hop, receive: (head: ResponseHead) => BodySink | undefined): Promise<ResponseHead> {
  const { promise, resolve, reject } = Promise.withResolvers<ResponseHead>();
  let controller: Dispatcher.DispatchController | undefined;
  let head: ResponseHead | undefined;
  let sink: BodySink | undefined;
  let settled = false;

  const settle = (finish: () => void, closing?: Error) => {
    if (settled) return;
    settled = true;
    hop.signal.removeEventListener('abort', onAbort);
    finish();
    if (closing !== undefined) controller?.abort(closing);
  };
  const fail = (error: unknown) => settle(() => reject(error), new Error('the exchange has failed', { cause: error }));
  const enough = (answer: ResponseHead) => settle(() => resolve(answer), new Error('no more of the body is wanted'));
  const onAbort = () => fail(hop.signal.reason);

  if (hop.signal.aborted) return Promise.reject(hop.signal.reason);
  hop.signal.addEventListener('abort', onAbort);
  agent.dispatch(
    {
      origin: hop.url.origin,
      path: hop.url.pathname + hop.url.search,
      method: hop.method ?? 'GET',
      headers: headersFor(hop.url, hop.headers),
      body: hop.body ?? null,
      headersTimeout: hop.headTimeout ?? DEFAULT_TIMEOUT_MS,
      bodyTimeout: hop.idleTimeout ?? DEFAULT_TIMEOUT_MS,
    },
    {
      onRequestStart(started) {
        controller = started;
        if (settled) started.abort(new Error('the exchange is over'));
      },
      onResponseStart(_controller, status, headers) {
        if (settled || status < 200) return;
        head = { status, headers, url: hop.url.href };
        try {
          sink = receive(head);
        } catch (error) {
          fail(error);
          return;
        }
        if (sink === undefined) enough(head);
      },
      onResponseData(active, chunk) {
        if (settled || head === undefined || sink === undefined) return;
        const answer = head;
        try {
          const taken = sink.write(chunk);
          if (taken === false) enough(answer);
          if (!(taken instanceof Promise)) return;
          active.pause();
          taken.then((more) => (more === false ? enough(answer) : active.resume()), fail);
        } catch (error) {
          fail(error);
        }
      },
      onResponseEnd() {
        const answer = head;
        if (answer !== undefined) settle(() => resolve(answer));
      },
      onResponseError(_controller, error) {
        settle(() => reject(transportError(error, hop.url.host)));
      },
    },
  );
  return promise;
}
