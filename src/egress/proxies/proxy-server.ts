import { countryCodes } from '../../contract/country-codes.ts';
import { parseUrl } from '../../contract/parse-url.ts';

/** A proxy that the operator configured. */
export interface ProxyServer {
  /** HTTP (CONNECT), HTTP over TLS, or SOCKS version 5. */
  readonly protocol: 'http:' | 'https:' | 'socks5:';
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** Its credentials; a secret. */
  readonly credentials?: { readonly user: string; readonly password: string };
}

/** A proxy, and the country of its exit. */
interface CountryProxy {
  /** An upper-case country code; absent if it may be any country. */
  readonly country?: string;
  readonly server: ProxyServer;
}

/** The target of a tunnel: a checked address, or a name in tests. */
export interface Destination {
  readonly host: string;
  readonly port: number;
}

/** Means any country, in settings and in `countryCode`. */
export const worldwide = 'worldwide';

/** ID of the exit without a proxy, also in settings. */
export const direct = 'direct';

const defaultPorts = { 'http:': 80, 'https:': 443, 'socks5:': 1080 } as const;

const example = 'http://user:password@proxy.example:3128';

/**
 * Reads `country=proxy`. No message repeats its input, which may contain credentials.
 *
 * @throws Error with the expected format.
 */
export function readCountryProxy(text: string): CountryProxy {
  const equals = text.indexOf('=');
  const key = text.slice(0, Math.max(0, equals)).trim();
  const server = readProxy(text.slice(equals + 1).trim());
  if (key.toLowerCase() === worldwide) return { server };
  const country = key.toUpperCase();
  if (countryCodes.includes(country)) return { country, server };
  throw new Error(`must be a list of country=proxy such as fr=${example}; the country may also be ${worldwide}`);
}

/**
 * Reads the default exit: `direct`, `worldwide`, or an upper-case country code.
 *
 * @throws Error with the expected values.
 */
export function readDefaultExit(text: string): string {
  const [place] = [direct, worldwide, ...countryCodes].filter((name) => name.toLowerCase() === text.toLowerCase());
  if (place === undefined) throw new Error('must be direct, worldwide or a country of EGRESS_PROXIES');
  return place;
}

/**
 * Reads the address of a proxy with percent-encoded credentials.
 *
 * @throws Error with the expected format.
 */
export function readProxy(text: string): ProxyServer {
  const url = parseUrl(text);
  const protocol = url?.protocol;
  if (url === null || url.hostname === '' || !isProxyProtocol(protocol)) {
    throw new Error(`must name an HTTP, HTTPS or SOCKS5 proxy such as ${example}`);
  }
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '') {
    throw new Error(`must contain only the host and port of a proxy, and optional credentials, such as ${example}`);
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const server = { protocol, host, port: Number(url.port) || defaultPorts[protocol] };
  if (url.username === '' && url.password === '') return server;
  const credentials = { user: decode(url.username), password: decode(url.password) };
  // Basic authentication ends the user name at the first colon (RFC 7617 §2).
  if (protocol !== 'socks5:' && credentials.user.includes(':')) {
    throw new Error('must not contain user names with a colon, except for socks5');
  }
  return { ...server, credentials };
}

function isProxyProtocol(text: string | undefined): text is ProxyServer['protocol'] {
  return text !== undefined && Object.hasOwn(defaultPorts, text);
}

/** Decodes part of the credentials, at most 255 bytes as in SOCKS (RFC 1929). */
function decode(text: string): string {
  let credential: string;
  try {
    credential = decodeURIComponent(text);
  } catch {
    // The cause would repeat a secret.
    throw new Error('must contain percent-encoded credentials');
  }
  if (Buffer.byteLength(credential) > 255)
    throw new Error('must contain user names and passwords of at most 255 bytes');
  return credential;
}
