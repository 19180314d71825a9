import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction, type OnReadOpts, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import type { MillraceError } from '../contract/errors.ts';
import { type AddressGuard, readHost, refused } from './guard.ts';
import type { ConnectTo } from './settings.ts';
import type { Destination } from './tunnel.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** What every connection is opened with. */
type Common = buildConnector.BuildOptions & { readonly onread?: OnReadOpts };

/** Finds all addresses of a name, as the system's resolver does. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Opens a connection that leads elsewhere than straight to the host. */
export type OpenTunnel = (to: Destination) => Promise<Socket>;

/** Opens a connection to a host whose literal address is checked; `instead` is where it leads in tests and the demo. */
type Open = (options: buildConnector.Options, instead: URL | undefined, callback: buildConnector.Callback) => void;

/**
 * Makes the function that opens every connection. Names are resolved here and the very addresses found are checked
 * before the socket is opened on them, so a name that changes between check and connect gains nothing.
 *
 * @param tunnel Through a proxy; it is given the checked address, and never the name.
 * @param onread How its sockets read, except those that lead through a proxy.
 */
export function createConnector(
  guard: AddressGuard,
  redirections: readonly ConnectTo[],
  resolve: Resolve = lookup,
  tunnel?: OpenTunnel,
  onread?: OnReadOpts,
): buildConnector.connector {
  const checked = guardedLookup(guard, resolve);
  const common: Common = { timeout: CONNECT_TIMEOUT_MS, allowH2: false, ...(onread && { onread }) };
  const open = tunnel === undefined ? openStraight(checked, common) : openThrough(tunnel, checked, common);
  return (options, callback) => {
    let host: string;
    try {
      host = readHost(options.hostname);
    } catch (error) {
      callback(error as MillraceError, null);
      return;
    }
    if (isIP(host) === 0) {
      open(options, redirections.find(({ pattern }) => matches(pattern, host))?.origin, callback);
      // A literal address is not looked up, so it is checked here.
    } else if (guard.permits(host)) open({ ...options, hostname: host }, undefined, callback);
    else callback(refused(`${host} is not a public address; it is not fetched.`), null);
  };
}

function openStraight(lookup: LookupFunction, common: Common): Open {
  const connect = buildConnector({ ...common, lookup, autoSelectFamily: true });
  const connectUnguarded = buildConnector(common);
  return (options, instead, callback) => {
    if (instead === undefined) connect(options, callback);
    else connectUnguarded({ ...options, ...originParts(instead) }, callback);
  };
}

/** The proxy gets the name where it leads to tests and the demo, which tell hosts apart by it. */
function openThrough(tunnel: OpenTunnel, lookup: LookupFunction, common: Common): Open {
  const secure = buildConnector(common);
  return (options, instead, callback) => {
    const { hostname } = options;
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    const opened = async () =>
      tunnel({ host: instead === undefined ? await addressOf(hostname, lookup) : hostname, port });
    opened().then(
      (socket) => {
        if ((instead ?? options).protocol === 'https:') secure({ ...options, httpSocket: socket }, callback);
        else callback(null, socket);
      },
      (error) => callback(error, null),
    );
  };
}

/** A checked address of a host: of IPv4 where it has one, since many proxies have no IPv6. */
function addressOf(host: string, lookup: LookupFunction): Promise<string> {
  if (isIP(host) !== 0) return Promise.resolve(host);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  lookup(host, { all: true, order: 'ipv4first' }, (error, addresses) => {
    const [first] = typeof addresses === 'string' ? [] : addresses;
    if (error === null && first !== undefined) resolve(first.address);
    else reject(error ?? refused(`${host} has no address.`));
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
      // One private address among public ones is a sign of a trick, and no honest host has any.
      const hidden = addresses.find(({ address }) => !guard.permits(address));
      const [first] = addresses;
      if (hidden !== undefined || first === undefined) {
        callback(refused(`${hostname} resolves to an address that is not public; it is not fetched.`), '');
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
