import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { describeJob, fetchJson, post, type StartedJob } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { keys, type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { type HeldSocket, holdSocket, sendRaw } from '../support/raw-request.ts';

const proxy = '127.0.0.99';
const innerProxy = '127.0.0.98';
const MOST_OF_ADDRESS = 3;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startService(inject('labUrl'), folder.path, {
    TRUSTED_PROXIES: `${proxy}, ${innerProxy}`,
    MAX_CONNECTIONS_PER_ADDRESS: String(MOST_OF_ADDRESS),
    LOG_ADDRESSES: 'true',
    WEB_RATE: '1/1',
    BASE_URL: 'https://millrace.example',
  });
});
afterAll(async () => {
  await service.kill();
  await folder.delete();
});

const policyHeader = 'content-security-policy';

type Headers = readonly (readonly [string, string])[];

function get(target: string, from: string, headers: Headers = [], host?: string) {
  return sendRaw(service.url, { method: 'GET', target, from, headers, ...(host === undefined ? {} : { host }) });
}

let requests = 0;

/** Returns the address that the access log states for a request. */
async function loggedAddress(from: string, headers: Headers): Promise<unknown> {
  requests += 1;
  const id = `forwarded-${requests}-end`;
  await get('/nowhere', from, [...headers, ['X-Request-Id', id]]);
  const line = () =>
    service
      .output()
      .split('\n')
      .find((text) => text.includes(id)) ?? 'null';
  await expect.poll(line).not.toBe('null');
  return JSON.parse(line()).address;
}

describe('the access log states', () => {
  test.each<[string, Headers, string]>([
    ['the client that a trusted proxy names', [['X-Forwarded-For', '203.0.113.1']], '203.0.113.1'],
    ['no port', [['X-Forwarded-For', '[2001:DB8::1]:80']], '2001:db8::1'],
    ['no claim of the client', [['X-Forwarded-For', `127.0.0.1, 203.0.113.1, ${innerProxy}:1`]], '203.0.113.1'],
    [
      'the last of several headers',
      [
        ['X-Forwarded-For', '127.0.0.1'],
        ['x-forwarded-for', '203.0.113.1'],
      ],
      '203.0.113.1',
    ],
    ['no garbage', [['X-Forwarded-For', 'x'.repeat(30_000)]], 'unknown'],
    ['no end of a long chain', [['X-Forwarded-For', Array(4_000).fill(innerProxy).join()]], 'unknown'],
    [
      'nothing of other headers',
      [
        ['Forwarded', 'for=203.0.113.1'],
        ['X-Real-IP', '203.0.113.1'],
      ],
      proxy,
    ],
  ])('%s', async (_what, headers, address) => {
    expect(await loggedAddress(proxy, headers)).toBe(address);
    expect(await loggedAddress('127.0.0.2', headers)).toBe('127.0.0.2');
  });
});

describe('the rate of the page', () => {
  async function statuses(from: string, clients: readonly string[]): Promise<number[]> {
    const asPage: Headers = [
      ['X-Millrace-Page', '1'],
      ['Sec-Fetch-Site', 'same-origin'],
    ];
    const found: number[] = [];
    for (const client of clients) {
      const { status } = await get('/p1/v3/search/suggestions?query=a', from, [...asPage, ['X-Forwarded-For', client]]);
      found.push(status);
    }
    return found;
  }

  test.each([
    ['on other ports', ['203.0.113.1:1', '203.0.113.1:2', '"203.0.113.1"', '::ffff:203.0.113.1']],
    ['of one /64', ['2001:db8::1', '[2001:db8::2]:1', '2001:db8::3%1']],
    ['behind other claims', ['6.6.6.6, 203.0.113.2', `127.0.0.1, 203.0.113.2, ${innerProxy}:9`]],
    ['on loopback', ['127.0.0.1', '127.0.0.1:80']],
    ['with texts that are no address', ['unknown', 'garbage', '0x7f.1', '[::1']],
  ])('counts clients %s as one', async (_which, clients) => {
    expect(await statuses(proxy, clients)).toEqual([200, ...Array(clients.length - 1).fill(429)]);
  });

  test.each([
    ['a /56', 4, (index: number) => `2001:db8:1:${index.toString(16)}::1`],
    ['a /48', 16, (index: number) => `2001:db8:2:${(index * 256).toString(16)}::1`],
  ])('lets all networks of %s send %i requests', async (_which, most, addressOf) => {
    const clients = Array.from({ length: most + 3 }, (_, index) => addressOf(index));
    expect(await statuses(proxy, clients)).toEqual([...Array(most).fill(200), 429, 429, 429]);
  });

  test('ignores what an untrusted client claims', async () => {
    expect(await statuses('127.0.0.3', ['203.0.113.7', '203.0.113.8', proxy])).toEqual([200, 429, 429]);
  });
});

describe('the connections of an address', () => {
  const held: HeldSocket[] = [];
  let jobId = '';

  beforeAll(async () => {
    const { url } = labFile('/media/amber-30/movie-360.mp4', { throttle: 1_000 });
    const job = describeJob('convert_format', [{ url, ext: 'mp4' }], 'mp4');
    jobId = (await post<StartedJob>(`${service.url}/api/v1/render/execute`, job)).body.jobId;
  });
  afterEach(() => {
    for (const { socket } of held.splice(0)) socket.destroy();
  });
  afterAll(async () => {
    const headers = { authorization: `Bearer ${keys.render}` };
    await fetchJson(`${service.url}/api/v1/render/jobs/${jobId}`, { method: 'DELETE', headers });
  });

  const statusOf = async (client: string) => (await get('/status', proxy, [['X-Forwarded-For', client]])).status;

  async function hold(path: string, headers: string, head: RegExp): Promise<void> {
    const request = `GET /api/v1/render/${path}/${jobId} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
    const client = await holdSocket(service.url, proxy, request);
    held.push(client);
    await expect.poll(client.received).toMatch(head);
  }

  test.each([
    ['a /56', 4, (index: number) => `2001:db8:1:${index.toString(16)}::1`],
    ['a /48', 16, (index: number) => `2001:db8:2:${(index * 256).toString(16)}::1`],
  ])('are limited for all networks of %s, to %i times as many', async (_which, factor, addressOf) => {
    const addresses = Array.from({ length: factor * MOST_OF_ADDRESS }, (_, index) => addressOf(index));
    await Promise.all(
      addresses.map((address) => hold('status/sse', `X-Forwarded-For: ${address}\r\n`, /^HTTP\/1\.1 200 /)),
    );
    expect(await statusOf(addressOf(addresses.length))).toBe(429);
    expect(await statusOf('2001:db8:3::1')).toBe(200);
  });

  const upgrade =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';

  test.each([
    ['event streams', 'status/sse', '', /^HTTP\/1\.1 200 /],
    ['WebSockets', 'status', upgrade, /^HTTP\/1\.1 101 /],
  ])('are limited behind a proxy, whatever their address, and freed when they close: %s', async (...row) => {
    const [, path, headers, head] = row;
    for (const [address, claim, otherClaim] of [
      ['127.0.0.1', '', '127.0.0.1, '],
      ['203.0.113.1', '127.0.0.1, ', '127.0.0.1, '],
      // Clients with the addresses of proxies, as in a trusted range of private addresses.
      [innerProxy, '', ''],
      [proxy, '', ''],
    ] as const) {
      for (let port = 1; port <= MOST_OF_ADDRESS; port += 1) {
        await hold(path, `${headers}X-Forwarded-For: ${claim}${address}:${port}\r\n`, head);
      }
      expect(await statusOf(address)).toBe(429);
      expect(await statusOf(`${otherClaim}${address}:9`)).toBe(429);
      expect(await statusOf('203.0.113.99')).toBe(200);
      for (const { socket } of held.splice(0)) socket.destroy();
      await expect.poll(() => statusOf(address)).toBe(200);
    }
  });
});

describe('a host that a client or a proxy states', () => {
  const paths = [
    ...['/', '/docs', '/about', '/openapi', '/status', '/manifest.webmanifest', '/service-worker.js', '/nowhere'],
    '/p1/v3/video/details?videoId=lab-min-002',
  ];
  const ownKey: Headers = [
    ['X-Marketplace-Key', keys.MEGA],
    ['X-Marketplace-Host', 'api.example'],
  ];
  const forms: [string, Record<string, string>][] = [
    ['X-Forwarded-Host', { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'evil' }],
    ['Forwarded', { Forwarded: 'host=evil.example;proto=evil' }],
    ['X-Original-Host', { 'X-Original-Host': 'evil.example', 'X-Host': 'evil.example' }],
    ['X-Forwarded-Prefix', { 'X-Forwarded-Prefix': '/evil', 'X-Original-URL': '/evil', 'X-Rewrite-URL': '/evil' }],
    ['Host', {}],
  ];

  test.each(forms)('changes no link: %s', async (name, headers) => {
    const host = name === 'Host' ? 'evil.example' : undefined;
    for (const from of [proxy, '127.0.0.2']) {
      for (const path of paths) {
        const response = await get(path, from, [...Object.entries(headers), ...ownKey], host);
        expect([path, response.status]).toEqual([path, path === '/nowhere' ? 404 : 200]);
        expect(response.body).not.toContain('evil');
        // Browsers set Host, and caches store a response for each: a page may load its assets from where it was opened.
        const others = [...response.headers].filter(([header]) => host === undefined || header !== policyHeader);
        expect(others.join('\n')).not.toContain('evil');
      }
    }
  });
});
