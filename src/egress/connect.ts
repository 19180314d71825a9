import { isIP, type LookupFunction, type OnReadOpts, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { MillraceError } from '../contract/errors.ts';
import { untilAborted } from '../waiting/until-aborted.ts';
import { type AddressGuard, addressRefusal, normaliseHost } from './guard/address-guard.ts';
import { type Resolve, resolveName } from './names/resolve-name.ts';
import type { Destination } from './proxies/proxy-server.ts';
import type { ConnectTo } from './settings.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** Options of every connection. */
type CommonOptions = buildConnector.BuildOptions & { readonly onread?: OnReadOpts };

/** Opens a connection through a proxy. */
export type OpenTunnel = (to: Destination) => Promise<Socket>;

/**
 * Opens a connection to a host, or to `redirection` in tests and the demo. If the host is an address, it has already
 * been checked.
 */
type OpenConnection = (
  options: buildConnector.Options,
  redirection: URL | undefined,
  callback: buildConnector.Callback,
) => void;

/**
 * Creates the function that opens every connection. It resolves names itself and opens the socket to the addresses that
 * it checked, so a DNS change between check and connection has no effect.
 *
 * @param tunnel Connects through a proxy. It receives the checked address, never the name.
 * @param onread How sockets read, except those through a proxy.
 */
export function createConnector(
  guard: AddressGuard,
  redirections: readonly ConnectTo[],
  resolve: Resolve = resolveName,
  tunnel?: OpenTunnel,
  onread?: OnReadOpts,
): buildConnector.connector {
  const safeLookup = guardedLookup(guard, resolve);
  const common: CommonOptions = { timeout: CONNECT_TIMEOUT_MS, allowH2: false, ...(onread && { onread }) };
  const open = tunnel === undefined ? openDirect(safeLookup, common) : openViaProxy(tunnel, safeLookup, common);
  return (options, callback) => {
    let host: string;
    try {
      host = normaliseHost(options.hostname);
    } catch (error) {
      callback(error as MillraceError, null);
      return;
    }
    if (isIP(host) === 0) {
      open(options, redirections.find(({ pattern }) => matches(pattern, host))?.origin, callback);
      // A literal address is not looked up, so it is checked here.
    } else if (guard.permits(host)) open({ ...options, hostname: host }, undefined, callback);
    else callback(addressRefusal(`${host} is not a public address, so Millrace does not connect to it.`), null);
  };
}

function openDirect(lookup: LookupFunction, common: CommonOptions): OpenConnection {
  const connect = buildConnector({ ...common, lookup, autoSelectFamily: true });
  const connectUnguarded = buildConnector(common);
  return (options, redirection, callback) => {
    if (redirection === undefined) connect(options, callback);
    else connectUnguarded({ ...options, ...originParts(redirection) }, callback);
  };
}

/**
 * Opens connections through a proxy. The proxy receives the names of redirected hosts, because tests and the demo
 * distinguish hosts by name.
 */
function openViaProxy(tunnel: OpenTunnel, lookup: LookupFunction, common: CommonOptions): OpenConnection {
  const startTls = buildConnector(common);
  return (options, redirection, callback) => {
    const { hostname } = options;
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    const openSocket = async () =>
      tunnel({ host: redirection === undefined ? await addressOf(hostname, lookup) : hostname, port });
    openSocket().then(
      (socket) => {
        if ((redirection ?? options).protocol === 'https:') startTls({ ...options, httpSocket: socket }, callback);
        else callback(null, socket);
      },
      (error) => callback(error, null),
    );
  };
}

/**
 * Creates the function that checks, without a connection, whether the connector would open one to a host. A name that
 * does not resolve is not refused, because it may resolve later.
 *
 * @throws MillraceError `address_refused`; the signal's reason.
 */
export function createHostCheck(
  guard: AddressGuard,
  redirections: readonly ConnectTo[],
  resolve: Resolve = resolveName,
): (hostname: string, signal: AbortSignal) => Promise<void> {
  const safeLookup = guardedLookup(guard, resolve);
  return async (hostname, signal) => {
    const host = normaliseHost(hostname);
    if (redirections.some(({ pattern }) => matches(pattern, host))) return;
    await untilAborted(addressOf(host, safeLookup), signal).catch((error: unknown) => {
      if (signal.aborted || error instanceof MillraceError) throw error;
    });
  };
}

/** Returns a checked address of a host, IPv4 if available: many proxies have no IPv6. */
function addressOf(host: string, lookup: LookupFunction): Promise<string> {
  if (isIP(host) !== 0) return Promise.resolve(host);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  lookup(host, { all: true, order: 'ipv4first' }, (error, addresses) => {
    const [first] = typeof addresses === 'string' ? [] : addresses;
    if (error === null && first !== undefined) resolve(first.address);
    else reject(error ?? addressRefusal(`${host} does not resolve to an address.`));
  });
  return promise;
}

function guardedLookup(guard: AddressGuard, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, '');
        return;
      }
      // A private address among public ones indicates an attack; no legitimate host has one.
      const privateAddress = addresses.find(({ address }) => !guard.permits(address));
      const [first] = addresses;
      if (privateAddress !== undefined || first === undefined) {
        callback(
          addressRefusal(`${hostname} does not resolve to a public address, so Millrace does not connect to it.`),
          '',
        );
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function matches(pattern: string, host: string): boolean {
  if (pattern === '*') return true;
  if (pattern.startsWith('*.')) return host.endsWith(pattern.slice(1));
  return host === pattern;
}

function originParts(origin: URL) {
  return {
    hostname: origin.hostname,
    host: origin.host,
    protocol: origin.protocol,
    port: origin.port === '' ? (origin.protocol === 'https:' ? '443' : '80') : origin.port,
    servername: origin.hostname,
  };
}
