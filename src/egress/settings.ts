import { parseUrl } from '../contract/parse-url.ts';
import { addressRange } from '../settings/address-range.ts';
import { list } from '../settings/readers.ts';
import { setting } from '../settings/setting.ts';
import { readBreakerRules } from './limits/breaker-rules.ts';
import { readRateLimitRules } from './limits/rate-limit.ts';
import { direct, readCountryProxy, readDefaultExit, readProxy } from './proxies/proxy-server.ts';

/** Redirects connections for host names that match a pattern to another origin; for tests and the demo. */
export interface ConnectTo {
  /** A host name, `*`, or `*.` and a suffix. */
  readonly pattern: string;
  readonly origin: URL;
}

/** Settings of outgoing connections. */
export const egressSettings = {
  EGRESS_ALLOW: setting({
    description:
      'Address ranges allowed in addition to public ones, in CIDR notation, comma-separated. A cloud metadata address is allowed only if it is listed as ' +
      'a single address (/32, /128).',
    default: 'none',
    fallback: () => [],
    read: list(addressRange),
  }),
  EGRESS_CONNECT_TO: setting({
    description: 'For tests and the demo: host-pattern=origin, …; connects to the origin and keeps the Host header.',
    default: 'none',
    fallback: () => [],
    read: list(connectTo),
  }),
  EGRESS_PROXIES: setting({
    description:
      'Proxies by country: fr=http://user:password@host:port, …; http, https or socks5, with percent-encoded ' +
      'credentials; worldwide=… for a proxy in any country.',
    default: 'none',
    fallback: () => [],
    read: list(readCountryProxy),
  }),
  EGRESS_DEFAULT: setting({
    description: 'Exit for requests without countryCode: direct, worldwide or a country of EGRESS_PROXIES.',
    default: direct,
    read: readDefaultExit,
  }),
  RENDER_PROXY: setting({
    description: 'Proxy for the inputs of direct jobs.',
    default: 'none',
    fallback: () => undefined,
    read: readProxy,
  }),
  EGRESS_PACE: setting({
    description:
      'Maximum extraction requests per second to each host through each exit, and the maximum burst; off: no limit.',
    default: '10/20',
    read: readRateLimitRules,
  }),
  BREAKER: setting({
    description:
      'When to stop requests to a platform through an exit: percentage of failures / minimum number of different ' +
      'requests within a minute / seconds until the next attempt; off: never.',
    default: '60/10/30',
    read: readBreakerRules,
  }),
};

function connectTo(text: string): ConnectTo {
  const equals = text.indexOf('=');
  const pattern = text.slice(0, equals).toLowerCase();
  const origin = parseUrl(text.slice(equals + 1));
  if (equals < 1 || origin === null || !/^https?:$/.test(origin.protocol)) {
    throw new Error('must be a list of host-pattern=origin such as *=http://127.0.0.1:9000');
  }
  return { pattern, origin };
}
