import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { ConnectTo } from '../config.ts';
import { type AddressGuard, refused } from './guard.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** Finds all addresses of a name, as the system's resolver does. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Makes the function that opens every connection. Names are resolved here and the very addresses found are checked
 * before the socket is opened on them, so a name that changes between check and connect gains nothing.
 */
export function createConnector(
  guard: AddressGuard,
  redirections: readonly ConnectTo[],
  resolve: Resolve = lookup,
): buildConnector.connector {
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    allowH2: false,
    lookup: guardedLookup(guard, resolve),
    autoSelectFamily: true,
  });
  const connectUnguarded = buildConnector({ timeout: CONNECT_TIMEOUT_MS, allowH2: false });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '');
    if (isIP(host) !== 0) {
      // A literal address is not looked up, so it is checked here.
      if (!guard.permits(host)) callback(refused(`${host} is not a public address; it is not fetched.`), null);
      else connect({ ...options, hostname: host }, callback);
      return;
    }
    const target = redirections.find(({ pattern }) => matches(pattern, host));
    if (target === undefined) connect(options, callback);
    else connectUnguarded({ ...options, ...originParts(target.origin) }, callback);
  };
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
