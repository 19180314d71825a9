import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { setDefaultCACertificates, type TLSSocket } from 'node:tls';
import ipaddr from 'ipaddr.js';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { serviceCaller } from '../contract/caller.ts';
import { MillraceError } from '../contract/errors.ts';
import type { ExitSettings } from './exits.ts';
import { fetchBody } from './fetch-body.ts';
import type { Resolve } from './names/resolve-name.ts';
import { readCountryProxy, readProxy } from './proxies/proxy-server.ts';
import { certificate } from './testing/certificate.ts';
import { openTestExits } from './testing/exits.ts';
import { type ProxyBehaviour, startHttpProxy, startSocksProxy, type TestProxy } from './testing/proxies.ts';

const loopback = [ipaddr.parseCIDR('127.0.0.1/32')];
const open: { close(): unknown }[] = [];
beforeAll(() => setDefaultCACertificates([certificate.cert]));
afterEach(async () => {
  vi.useRealTimers();
  for (const resource of open.splice(0).reverse()) await resource.close();
});

/** A site that records the host names of its requests. */
async function site(secure: boolean, listener: RequestListener = (_request, response) => response.end('here')) {
  const requests: { host: string | undefined; sni: string | undefined; headers: IncomingHttpHeaders }[] = [];
  const listen: RequestListener = (request, response) => {
    const sni = (request.socket as TLSSocket).servername;
    requests.push({
      host: request.headers.host,
      sni: typeof sni === 'string' ? sni : undefined,
      headers: request.headers,
    });
    listener(request, response);
  };
  const server = secure ? createSecureServer(certificate, listen) : createServer(listen);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  open.push({ close: () => server.closeAllConnections() }, server);
  const { port } = server.address() as AddressInfo;
  return { url: `${secure ? 'https' : 'http'}://a.example:${port}/`, port, requests };
}

/** A resolver that returns the addresses of each name one after the other. */
function names(addresses: Record<string, string[]>): Resolve {
  return (hostname, _options, callback) => {
    const list = addresses[hostname] ?? [];
    const address = (list.length > 1 ? list.shift() : list[0]) ?? '10.0.0.1';
    callback(null, [{ address, family: 4 }]);
  };
}

const local: Resolve = (_hostname, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);

function exitsWith(settings: Partial<ExitSettings>, resolve: Resolve = local) {
  const exits = openTestExits({ EGRESS_ALLOW: loopback, ...settings }, resolve);
  open.push(exits);
  return exits;
}

const getBy = async (by: { allowBufferReuse?: true }, egress: Parameters<typeof fetchBody>[0], url: string) =>
  (
    await fetchBody(egress, { url, caller: serviceCaller, signal: new AbortController().signal, ...by }, 1000)
  ).body.toString();

type Kind = 'http' | 'https' | 'socks5';
const kinds: Kind[] = ['http', 'https', 'socks5'];

async function start(
  kind: Kind,
  conduct?: ProxyBehaviour,
  credentials = '',
): Promise<{ proxy: TestProxy; url: string }> {
  const proxy =
    kind === 'socks5'
      ? await startSocksProxy(credentials !== '', conduct)
      : await startHttpProxy(kind === 'https', conduct);
  open.push(proxy);
  return { proxy, url: `${kind}://${credentials}localhost:${proxy.port}` };
}

/** The exit fr-1 through a proxy. */
async function through(kind: Kind, resolve?: Resolve, conduct?: ProxyBehaviour, credentials?: string) {
  const { proxy, url } = await start(kind, conduct, credentials);
  const exits = exitsWith({ EGRESS_PROXIES: [readCountryProxy(`fr=${url}`)] }, resolve);
  return { proxy, exit: exits.byId('fr-1') };
}

const ways = kinds.flatMap((kind) => [
  { kind, client: 'undici', by: {} },
  { kind, client: 'the bulk client', by: { allowBufferReuse: true as const } },
]);

describe.each(ways)('an exit through a proxy by $kind, with $client', ({ kind, by }) => {
  const get = (egress: Parameters<typeof fetchBody>[0], url: string) => getBy(by, egress, url);

  test.each([false, true])(
    'sends the checked address to the proxy and the host name to the site (TLS: %s)',
    async (secure) => {
      const { url, port, requests } = await site(secure);
      const { proxy, exit } = await through(kind, names({ 'a.example': ['127.0.0.1'] }));
      expect(await get(exit, url)).toBe('here');
      expect(proxy.targets).toEqual([`127.0.0.1:${port}`]);
      expect(requests).toMatchObject([{ host: `a.example:${port}`, sni: secure ? 'a.example' : undefined }]);
    },
  );

  test('ignores a DNS change between check and connection', async () => {
    const { url, port } = await site(false);
    const { proxy, exit } = await through(kind, names({ 'a.example': ['127.0.0.1', '10.0.0.1'] }));
    expect(await get(exit, url)).toBe('here');
    expect(proxy.targets).toEqual([`127.0.0.1:${port}`]);
  });

  test.each(['http://a.example/', 'https://a.example/', 'http://10.0.0.1/', 'http://[::1]/', 'http://localhost/'])(
    'refuses a private target: %s',
    async (url) => {
      const { proxy, exit } = await through(kind, names({ 'a.example': ['10.0.0.1'] }));
      await expect(get(exit, url)).rejects.toMatchObject({ code: 'address_refused' });
      expect(proxy.targets).toEqual([]);
    },
  );

  test('refuses a redirect to a private target', async () => {
    const { url } = await site(false, (_request, response) => {
      response.writeHead(302, { location: 'http://b.example/' }).end();
    });
    const { proxy, exit } = await through(kind, names({ 'a.example': ['127.0.0.1'], 'b.example': ['10.0.0.1'] }));
    await expect(get(exit, url)).rejects.toMatchObject({ code: 'address_refused' });
    expect(proxy.targets).toHaveLength(1);
  });

  test("sends the proxy's credentials to the proxy only", async () => {
    const { url, requests } = await site(false);
    const { proxy, exit } = await through(kind, local, 'connect', 'us%40r:p%3Aw%2F%C3%BC@');
    expect(await get(exit, url)).toBe('here');
    expect(proxy.credentials).toEqual(['us@r:p:w/ü']);
    expect(JSON.stringify(requests)).not.toMatch(/p:w|authorization/);
  });

  test.each<[string, ProxyBehaviour, RegExp]>([
    ['rejects the credentials', { status: 407 }, /fr-1: the proxy rejected the credentials/],
    ['opens no connection', { status: kind === 'socks5' ? 5 : 502 }, /fr-1: the proxy opened no connection/],
    ['dies', 'die', /fr-1: .*closed/],
  ])('reports a connection error when the proxy %s', async (_name, conduct, message) => {
    const { url, requests } = await site(false);
    const { exit } = await through(kind, local, conduct, 'user:secret@');
    const error: unknown = await get(exit, url).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(MillraceError);
    expect(error).toMatchObject({ code: 'connection_error', retryable: true });
    expect(String(error)).toMatch(message);
    expect(everythingOf(error)).not.toMatch(/secret|dXNlcjpzZWNyZXQ/);
    expect(requests).toEqual([]);
  });

  test('gives up after eight seconds on a proxy that hangs', async () => {
    const { proxy, exit } = await through(kind, local, 'hang');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const outcome = get(exit, 'https://a.example/').catch((error: unknown) => error);
    while (proxy.targets.length === 0) await setImmediate();
    vi.advanceTimersByTime(8_000);
    expect(await outcome).toMatchObject({
      code: 'connection_error',
      message: 'Could not connect through exit fr-1: the proxy took too long to respond.',
    });
  });

  test('reports a connection error when the proxy is down', async () => {
    const { proxy, exit } = await through(kind);
    await proxy.close();
    await expect(get(exit, 'http://a.example/')).rejects.toMatchObject({
      code: 'connection_error',
      message: 'Could not connect through exit fr-1: connection refused.',
    });
  });

  test('sends the proxy the name if EGRESS_CONNECT_TO redirects it', async () => {
    const { port } = await site(false);
    const { proxy, url } = await start(kind);
    const exits = exitsWith({
      EGRESS_PROXIES: [readCountryProxy(`fr=${url}`)],
      EGRESS_CONNECT_TO: [{ pattern: '*.example', origin: new URL('http://127.0.0.1:1') }],
    });
    // The redirection's target is plain HTTP, so the request is too.
    expect(await get(exits.byId('fr-1'), `https://a.example:${port}/`)).toBe('here');
    expect(proxy.targets).toEqual([`a.example:${port}`]);
  });
});

/** An error and its causes, with all their contents. */
function everythingOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return [error.stack, ...Object.entries(error).flat().map(String), everythingOf(error.cause)].join('\n');
}

describe('exits', () => {
  const proxies = ['fr=http://a', 'us=http://b', 'FR=socks5://c', 'worldwide=https://d'].map(readCountryProxy);
  const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);

  test('are selected by country in round robin', () => {
    const exits = exitsWith({ EGRESS_PROXIES: proxies });
    expect(exits.countries).toEqual(['FR', 'US']);
    expect(ids(exits.forCountry())).toEqual(['direct']);
    expect(ids(exits.forCountry('US'))).toEqual(['us-1']);
    expect([1, 2, 3].map(() => ids(exits.forCountry('FR')))).toEqual([
      ['fr-1', 'fr-2'],
      ['fr-2', 'fr-1'],
      ['fr-1', 'fr-2'],
    ]);
    expect(ids(exits.forCountry('DE'))).toEqual([]);
    expect(ids(exits.forCountry('worldwide')).toSorted()).toEqual(['direct', 'fr-1', 'fr-2', 'us-1', 'worldwide-1']);
    expect(ids(exits.forCountry('worldwide'))[0]).toBe('worldwide-1');
  });

  test('that no longer exist are replaced by others in the same country', () => {
    const exits = exitsWith({ EGRESS_PROXIES: proxies });
    expect(['direct', 'fr-2', 'worldwide-1'].map((id) => exits.byId(id).id)).toEqual(['direct', 'fr-2', 'worldwide-1']);
    expect([exits.byId('fr-7').country, exits.byId('worldwide-3').id]).toEqual(['FR', 'worldwide-1']);
    expect(() => exits.byId('de-1')).toThrow('The exit de-1');
  });

  test('for jobs and for requests without a country follow the settings', () => {
    const exits = exitsWith({ EGRESS_PROXIES: proxies, EGRESS_DEFAULT: 'US', RENDER_PROXY: readProxy('http://e') });
    expect([ids(exits.forCountry()), exits.forJobs.id]).toEqual([['us-1'], 'render']);
    expect(exitsWith({}).forJobs.id).toBe('direct');
    expect(() => exitsWith({ EGRESS_PROXIES: proxies, EGRESS_DEFAULT: 'DE' })).toThrow(/EGRESS_DEFAULT must be/);
  });
});
