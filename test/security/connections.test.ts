import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { describeJob, fetchJson, post, type StartedJob } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { keys, type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { type HeldSocket, holdSocket, sendRaw } from '../support/raw-request.ts';
import type { RawResponse } from '../support/raw-response.ts';

const MOST = 20;
const MOST_OF_ADDRESS = 5;
const proxy = '127.0.0.99';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;
let admin = '';
const heldSockets: HeldSocket[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  const adminPort = String(await freePort());
  admin = `http://127.0.0.1:${adminPort}`;
  service = await startService(inject('labUrl'), folder.path, {
    ADMIN_PORT: adminPort,
    MAX_CONNECTIONS: String(MOST),
    MAX_CONNECTIONS_PER_ADDRESS: String(MOST_OF_ADDRESS),
    // All other loopback addresses are then ordinary clients.
    TRUSTED_PROXIES: proxy,
  });
});
afterAll(async () => {
  await service.kill();
  await folder.delete();
});
afterEach(async () => {
  for (const { socket } of heldSockets.splice(0)) socket.destroy();
  await expect.poll(() => metric('connections')).toBeLessThan(3);
});

async function metric(name: string, label = ''): Promise<number> {
  const text = await (await fetch(`${admin}/metrics`)).text();
  return Number(new RegExp(`^millrace_${name}${label} (\\d+)$`, 'm').exec(text)?.[1]);
}

async function hold(from: string, bytes: string, count = 1): Promise<HeldSocket[]> {
  const some = await Promise.all(Array.from({ length: count }, () => holdSocket(service.url, from, bytes)));
  heldSockets.push(...some);
  return some;
}

/** Sends a request from a client that keeps no connection. */
function get(from: string, target: string, headers: readonly (readonly [string, string])[] = []): Promise<RawResponse> {
  return sendRaw(service.url, { method: 'GET', target, from, headers });
}

const codeOf = ({ body }: RawResponse) => (JSON.parse(body) as { error: { code: string } }).error.code;
const stillOpen = (some: readonly HeldSocket[]) =>
  some.filter(({ socket }) => !socket.destroyed && !socket.readableEnded);

describe('connections without a response', () => {
  test('are closed within seconds after a malformed request, even if the client keeps its side open', async () => {
    const sockets = await hold('127.0.0.2', 'NO HTTP\r\n\r\n', MOST_OF_ADDRESS - 1);
    for (const { received } of sockets) await expect.poll(received).toMatch(/^HTTP\/1\.1 400 /);
    await expect.poll(() => metric('connections')).toBeLessThan(3);
  });

  test.each([
    ['idle', ''],
    ['unfinished headers', 'GET /status HTTP/1.1\r\nHost: a\r\nX-A: '],
    ['an unfinished body', 'POST /api/v1/render/execute HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{'],
    ['malformed', 'NO HTTP\r\n\r\n'],
    ['keep-alive', 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('by the hundred (%s) exclude no other client, and one address is limited to its portion', async (_name, bytes) => {
    const sockets = await hold('127.0.0.2', bytes, 100);
    await expect.poll(() => stillOpen(sockets).length).toBeLessThanOrEqual(MOST_OF_ADDRESS);
    for (const address of [3, 4, 5, 6, 7, 8]) sockets.push(...(await hold(`127.0.0.${address}`, bytes, 20)));
    for (const from of ['127.0.0.50', '127.0.0.51']) {
      expect((await get(from, '/health')).status).toBe(200);
      expect((await get(from, '/status')).status).toBe(200);
    }
    await expect.poll(() => metric('connections')).toBeLessThanOrEqual(MOST);
  });
});

describe('connections with a response in progress', () => {
  let jobId = '';
  let stream = '';

  beforeAll(async () => {
    const { url } = labFile('/media/amber-30/movie-360.mp4', { throttle: 1_000 });
    const job = describeJob('convert_format', [{ url, ext: 'mp4' }], 'mp4');
    const { status, body } = await post<StartedJob>(`${service.url}/api/v1/render/execute`, job);
    expect(status).toBe(202);
    jobId = body.jobId;
    stream = `GET /api/v1/render/status/sse/${jobId} HTTP/1.1\r\nHost: a\r\n`;
  });
  afterAll(async () => {
    const headers = { authorization: `Bearer ${keys.render}` };
    await fetchJson(`${service.url}/api/v1/render/jobs/${jobId}`, { method: 'DELETE', headers });
  });

  async function openStreams(from: string, count: number, headers = ''): Promise<HeldSocket[]> {
    const streams = await hold(from, `${stream}${headers}\r\n`, count);
    for (const { received } of streams) await expect.poll(received).toMatch(/^HTTP\/1\.1 200 .*\ndata: /s);
    return streams;
  }

  test('are never closed to make room for others, and further ones from the same address are refused', async () => {
    const streams = await openStreams('127.0.0.2', MOST_OF_ADDRESS);
    const refused = await get('127.0.0.2', '/status');
    expect([refused.status, codeOf(refused)]).toEqual([429, 'rate_limited']);
    expect([refused.headers.get('retry-after'), refused.headers.get('connection')]).toEqual(['5', 'close']);
    expect((await get('127.0.0.2', '/health')).status).toBe(200);
    expect((await get('127.0.0.3', '/status')).status).toBe(200);
    expect(stillOpen(streams)).toHaveLength(MOST_OF_ADDRESS);
    expect(await metric('connections_refused_total', '{reason="share"}')).toBeGreaterThan(0);
    await expect.poll(service.output).toMatch(/"client":"127\.0\.0\.2".*TRUSTED_PROXIES/);
  });

  test('leave /health available when they use every slot, and release their slots when they end', async () => {
    const streams: HeldSocket[] = [];
    for (const address of [2, 3, 4, 5]) streams.push(...(await openStreams(`127.0.0.${address}`, MOST_OF_ADDRESS)));
    // There are more of these connections than the service has slots beyond its limit.
    await hold('127.0.0.6', '', 100);
    for (const target of ['/health', '/health/live']) {
      const answer = await get('127.0.0.50', target);
      expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    }
    for (const upgrade of [
      [],
      [
        ['Upgrade', 'websocket'],
        ['Sec-WebSocket-Version', '13'],
        ['Sec-WebSocket-Key', 'AAAAAAAAAAAAAAAAAAAAAA=='],
      ],
    ] as const) {
      const refused = await get('127.0.0.50', `/api/v1/render/status/${jobId}`, upgrade);
      expect([refused.status, codeOf(refused)]).toEqual([503, 'service_unavailable']);
      expect(JSON.parse(refused.body)).toMatchObject({ error: { statusCode: 503, retryable: true } });
      expect([refused.headers.get('retry-after'), refused.headers.get('connection')]).toEqual(['5', 'close']);
    }
    expect(stillOpen(streams)).toHaveLength(MOST);
    expect(await metric('connections_refused_total', '{reason="full"}')).toBeGreaterThan(0);
    for (const { socket } of streams.slice(0, 2)) socket.destroy();
    await expect.poll(async () => (await get('127.0.0.50', '/status')).status).toBe(200);
  });

  test('through a trusted proxy count towards the limit of the address that it names', async () => {
    const forwardedFor = (address: string) => `X-Forwarded-For: ${address}\r\n`;
    await openStreams(proxy, MOST_OF_ADDRESS, forwardedFor('203.0.113.1'));
    await openStreams(proxy, MOST_OF_ADDRESS, forwardedFor('203.0.113.2'));
    const statusOf = async (address: string) => (await get(proxy, '/status', [['X-Forwarded-For', address]])).status;
    expect(await statusOf('203.0.113.1')).toBe(429);
    expect(await statusOf('203.0.113.3')).toBe(200);
    // The same header from any other client is ignored.
    await openStreams('127.0.0.2', MOST_OF_ADDRESS, forwardedFor('203.0.113.4'));
    expect((await get('127.0.0.2', '/status', [['X-Forwarded-For', '203.0.113.5']])).status).toBe(429);
  });
});
