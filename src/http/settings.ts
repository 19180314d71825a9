import { addressRange } from '../settings/address-range.ts';
import { anyText, httpUrl, integer, list, oneOf } from '../settings/readers.ts';
import { setting } from '../settings/setting.ts';
import { defaultClientMemory } from './connections/client-memory.ts';
import { defaultMaxConnections } from './connections/descriptor-limit.ts';

/** Settings of the HTTP server that callers connect to. */
export const httpSettings = {
  HOST: setting({ description: 'Address to listen on.', default: '127.0.0.1', read: anyText }),
  PORT: setting({ description: 'Port to listen on; 0 picks a free one.', default: '8080', read: integer(0, 65_535) }),
  BASE_URL: setting({
    description: 'Public address of the extraction API.',
    default: 'the listening address',
    fallback: () => undefined,
    read: httpUrl,
  }),
  API_URL: setting({
    description: 'Public address for creating jobs.',
    default: 'the listening address',
    fallback: () => undefined,
    read: httpUrl,
  }),
  RENDER_URL: setting({
    description: 'Public address of execution URLs, status streams and files.',
    default: 'the listening address',
    fallback: () => undefined,
    read: httpUrl,
  }),
  TRUSTED_PROXIES: setting({
    description: 'Address ranges of proxies in front of the service whose X-Forwarded-For is trusted: CIDR, …',
    default: 'none',
    fallback: () => [],
    read: list(proxyRange),
  }),
  LOG_ADDRESSES: setting({
    description: 'Whether the access log contains the addresses of callers, which are personal data.',
    default: 'false',
    read: (text) => oneOf('true', 'false')(text) === 'true',
  }),
  MAX_CONNECTIONS: setting({
    description:
      'Maximum concurrent client connections. When all are in use, idle and half-open ones are closed first; further ' +
      'clients get 503 except at /health.',
    default: '(descriptor limit minus 256) × 3/4, at most 20000; ulimit -n shows the descriptor limit',
    fallback: defaultMaxConnections,
    read: integer(1, 1_000_000),
  }),
  MAX_CONNECTIONS_PER_ADDRESS: setting({
    description:
      'Maximum concurrent connections from one address. For IPv6, one /64 network has this limit; a /56 has four times ' +
      'and a /48 sixteen times as much, but at most half of MAX_CONNECTIONS. TRUSTED_PROXIES are exempt; requests that ' +
      'they forward count towards the address in X-Forwarded-For. Without TRUSTED_PROXIES, loopback is exempt.',
    default: 'a quarter of MAX_CONNECTIONS',
    fallback: () => undefined,
    read: integer(1, 1_000_000),
  }),
  CLIENT_MEMORY: setting({
    description:
      'MiB of memory for requests, large responses, downloads and relayed media of all clients. One address can use a quarter of it, ' +
      'at most 64 MiB. Beyond that, requests get 503 or 429. TRUSTED_PROXIES and loopback count as for connections.',
    default: 'a quarter of the memory of the container or machine, 64 to 1024',
    fallback: () => Math.floor(defaultClientMemory() / 1024 ** 2),
    read: integer(16, 1_000_000),
  }),
};

/** Checks a range, and returns it in the form that Fastify expects. */
function proxyRange(text: string): string {
  addressRange(text);
  return text;
}
