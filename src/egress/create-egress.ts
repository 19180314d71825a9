import type { OnReadOpts } from 'node:net';
import { Agent, type buildConnector } from 'undici';
import { MillraceError } from '../contract/errors.ts';
import { parseUrl } from '../contract/parse-url.ts';
import type { SettingValues } from '../settings/setting.ts';
import { type BulkRequest, createBulkClient, isBulkHeader } from './bulk/bulk-client.ts';
import { sharedReadBuffer } from './bulk/bulk-connection.ts';
import { MAX_KEEP_ALIVE_MS } from './bulk/connection-pool.ts';
import { createConnector, createHostCheck, type OpenTunnel } from './connect.ts';
import { withPartStatus } from './content-range.ts';
import { bindHeaders, headersFor, withoutBodyHeaders } from './credentials.ts';
import type { Egress, ResponseHead } from './egress.ts';
import { type AddressGuard, addressRefusal, createAddressGuard, type HostRefusal } from './guard/address-guard.ts';
import { createConnectionSlots } from './limits/connection-slots.ts';
import type { Resolve } from './names/resolve-name.ts';
import type { egressSettings } from './settings.ts';
import { DEFAULT_TIMEOUT_MS, type Hop, undiciExchange } from './undici-exchange.ts';

const MAX_REDIRECTS = 5;

/** Maximum connections to one origin, apart from those of relays: in all, and of all visitors of the page. */
const requestLimits = { total: 256, visitors: 64 };
/** Maximum connections of relays to one origin: in all, of a caller, and of all visitors of the page. */
const relayLimits = { total: 256, perCaller: 64, visitors: 128 };

/** Settings of every egress. */
export type EgressSettings = Pick<SettingValues<typeof egressSettings>, 'EGRESS_ALLOW' | 'EGRESS_CONNECT_TO'>;

/** Parts of an egress that differ between services and exits. */
export interface EgressParts {
  /** Resolves names. Default: the system's resolver. */
  readonly resolve?: Resolve | undefined;
  /** Which hosts are blocked. Default: none. */
  readonly hostRefusal?: HostRefusal | undefined;
  /** Opens connections through a proxy. Default: directly. */
  readonly tunnel?: OpenTunnel;
}

/** Checks whether requests to a URL are permitted, without sending one. */
export type CheckUrl = (url: string, signal: AbortSignal) => Promise<void>;

/**
 * Creates {@link CheckUrl} with the operator's settings. Names are resolved.
 *
 * @throws MillraceError `address_refused`, `blocked`, `invalid_url`; the signal's reason.
 */
export function createUrlCheck(settings: EgressSettings, { resolve, hostRefusal }: EgressParts = {}): CheckUrl {
  const guard = createAddressGuard(settings.EGRESS_ALLOW, hostRefusal);
  const checkHost = createHostCheck(guard, settings.EGRESS_CONNECT_TO, resolve);
  return async (url, signal) => await checkHost(parseTarget(url, guard).hostname, signal);
}

/** Creates an egress with the operator's settings: direct, or through a proxy. */
export function createEgress(settings: EgressSettings, { resolve, hostRefusal, tunnel }: EgressParts = {}): Egress {
  const guard = createAddressGuard(settings.EGRESS_ALLOW, hostRefusal);
  const connector = (onread?: OnReadOpts) =>
    createConnector(guard, settings.EGRESS_CONNECT_TO, resolve, tunnel, onread);
  const agent = new Agent({
    connect: reportResets(connector()),
    connections: requestLimits.total + relayLimits.total,
    keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
    pipelining: 1,
  });
  const bulk = createBulkClient(connector(sharedReadBuffer), requestLimits.total);
  const slots = createConnectionSlots(requestLimits);
  const relaySlots = createConnectionSlots(relayLimits);

  /** Waits for a connection. The clients themselves wait only for those that are being closed or opened in vain. */
  function acquireSlot({ url, caller, isRelay, signal }: Hop): Promise<() => void> {
    return (isRelay ? relaySlots : slots).acquire(url, caller, signal);
  }

  return {
    async exchange(request, receive) {
      const { headers = bindHeaders(request.url, {}) } = request;
      let hop: Hop = { ...request, headers, url: parseTarget(request.url, guard) };
      for (let redirects = 0; ; redirects += 1) {
        let next: Hop | undefined;
        const { url } = hop;
        const receiveHop = (head: ResponseHead) => {
          const isFinal = request.followRedirects === false || hop.bodyStream !== undefined;
          next = isFinal ? undefined : redirectOf(head, hop, guard);
          return next === undefined ? receive(withPartStatus(head)) : undefined;
        };
        const plain = bulkRequest(hop);
        const release = await acquireSlot(hop).catch((error: unknown) => {
          hop.bodyStream?.destroy();
          throw error;
        });
        const head = await (plain === undefined
          ? undiciExchange(agent, hop, receiveHop)
          : bulk.send(plain, receiveHop)
        ).finally(release);
        if (next === undefined) return withPartStatus(head);
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

/**
 * Makes undici report a connection that was reset. It takes a reset for the end of a body that has no length
 * (`onHttpSocketError` of lib/dispatcher/client-h1.js, undici 8.12.4), so that half of a page would count as whole.
 */
function reportResets(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      // undici's own listener is added later.
      result[1]?.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNRESET') error.code = 'UND_ERR_SOCKET';
      });
      callback(...result);
    });
}

function parseTarget(text: string, guard: AddressGuard, base?: URL): URL {
  const url = parseUrl(text, base);
  if (url === null) throw new MillraceError('invalid_url', 'The link is not a valid URL.');
  if (url.username !== '' || url.password !== '') {
    throw addressRefusal(
      `The link to ${url.host} contains a user name or password; send an Authorization header instead.`,
    );
  }
  guard.checkUrl(url);
  return url;
}

/** Returns the request for a redirect, or undefined if the response is not a redirect. */
function redirectOf(head: ResponseHead, hop: Hop, guard: AddressGuard): Hop | undefined {
  const { location } = head.headers;
  if (![301, 302, 303, 307, 308].includes(head.status) || location === undefined) return undefined;
  const url = parseTarget(location, guard, hop.url);
  if ((hop.method ?? 'GET') === 'GET') return { ...hop, url };
  if (head.status !== 307 && head.status !== 308) {
    const { body: _dropped, ...asGet } = hop;
    return { ...asGet, url, method: 'GET', headers: withoutBodyHeaders(hop.headers) };
  }
  // The status requires the same method, so the request does not become a GET either (RFC 9110 §15.4.8).
  if (url.origin !== hop.url.origin) throw crossOriginBody(head.status, hop.url, url);
  return { ...hop, url };
}

function crossOriginBody(status: number, from: URL, to: URL): MillraceError {
  const message =
    `${from.host} redirected a POST to another origin with status ${status}, so its body was not sent there. ` +
    `If ${to.origin} is meant to receive it, request that address directly.`;
  return new MillraceError('unexpected_redirect', message, { retryable: false });
}

/**
 * Returns the request for the bulk client; undefined if that client cannot send the request, or if the sink keeps
 * chunks.
 */
function bulkRequest(hop: Hop): BulkRequest | undefined {
  const { url, signal, headTimeout = DEFAULT_TIMEOUT_MS, idleTimeout = DEFAULT_TIMEOUT_MS } = hop;
  const headers = headersFor(url, hop.headers);
  const isGet = (hop.method ?? 'GET') === 'GET' && hop.body === undefined;
  const plain = hop.allowBufferReuse === true && isGet;
  if (!plain || !Object.entries(headers).every(([name, value]) => isBulkHeader(name, value))) return undefined;
  return { url, headers, signal, headTimeout, idleTimeout };
}
