import { once } from 'node:events';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { noteAccess } from './access-log.ts';
import { listen } from './listen.ts';
import { createServer } from './server.ts';

const lines: string[] = [];
let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
  app = await createServer(log, { logAddresses: true });
  app.get('/files/:link/:name', (request) => {
    noteAccess(request, { keyId: 'key-1', plan: 'PRO' });
    noteAccess(request, { credits: 5, cache: undefined });
    return 'file';
  });
  app.get('/socket', { websocket: true }, (socket) => socket.close());
  app.get('/slow', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200).write('start');
  });
  app.post('/jobs', () => 'job');
  app.get('/health', () => ({ status: 'ok' }));
  app.get('/metrics', () => 'up 1');
  app.get('/health/ready', (_request, reply) => reply.code(503).send({}));
  url = await listen(app, '127.0.0.1', 0);
});
afterAll(() => app.close());
beforeEach(() => void lines.splice(0));

/** Waits for the lines of `count` requests. */
async function accessLines(count: number): Promise<Record<string, unknown>[]> {
  await vi.waitFor(() => expect(lines).toHaveLength(count), { timeout: 60_000 });
  return lines.map((line) => JSON.parse(line));
}

/** Sends text over a new connection, and closes it when something has arrived. Returns what has arrived. */
async function sendAndLeave(text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(text);
  const [received] = await once(socket, 'data');
  socket.destroy();
  return String(received);
}

describe('the access log', () => {
  test('states the route, the response and what the route adds, and no part of the URL', async () => {
    const response = await fetch(`${url}/files/sealed-part/name.mp4?secret=1`, { headers: { 'x-request-id': 'mine' } });
    await response.text();
    expect(await accessLines(1)).toEqual([
      {
        level: 30,
        time: expect.any(Number),
        pid: expect.any(Number),
        hostname: expect.any(String),
        requestId: 'mine',
        method: 'GET',
        route: '/files/:link/:name',
        status: 200,
        durationMs: expect.any(Number),
        bytes: expect.any(Number),
        keyId: 'key-1',
        plan: 'PRO',
        credits: 5,
        address: '127.0.0.1',
        msg: 'request',
      },
    ]);
    expect(lines.join()).not.toMatch(/sealed-part|name\.mp4|secret/);
  });

  test('counts the bytes of each response on one connection', async () => {
    for (let count = 0; count < 2; count += 1) await (await fetch(`${url}/files/a/b`)).text();
    const [first, second] = await accessLines(2);
    expect(first?.bytes).toBeGreaterThan(100);
    expect(second?.bytes).toBe(first?.bytes);
  });

  test.each([
    ['a path without a route', '/secret-path', { route: 'unmatched', status: 404, code: 'not_found' }],
    ['a path that is not valid', '/%', { route: 'unmatched', status: 400, code: 'invalid_params' }],
  ])('states %s', async (_name, path, expected) => {
    await (await fetch(url + path)).text();
    expect(await accessLines(1)).toMatchObject([expected]);
    expect(lines.join()).not.toContain('secret-path');
  });

  test('states malformed input and the ID in its response', async () => {
    await sendAndLeave('nonsense\r\n\r\n');
    expect(await accessLines(1)).toMatchObject([
      { route: 'malformed', status: 400, requestId: expect.stringMatching(/^[\da-f-]{36}$/) },
    ]);
  });

  test.each([
    [
      'a body that is malformed',
      'POST /jobs HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n',
      'nonsense\r\n',
      '/jobs',
    ],
    [
      'a WebSocket that is refused',
      'GET /socket HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 1\r\n',
      '',
      '/socket',
    ],
  ])('has one line of %s, with the ID of the request', async (_name, head, body, route) => {
    const response = await sendAndLeave(`${head}Content-Type: application/json\r\nX-Request-Id: mine\r\n\r\n${body}`);
    expect(response).toMatch(/^HTTP\/1.1 400 .*x-request-id: mine\r.*"requestId":"mine"/s);
    const [line] = await accessLines(1);
    expect(line).toMatchObject({ requestId: 'mine', route, status: 400, code: 'invalid_params' });
    expect(line).not.toHaveProperty('aborted');
  });

  test('states a WebSocket when it is closed', async () => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket`);
    await once(socket, 'close');
    const [line] = await accessLines(1);
    expect(line).toMatchObject({ route: '/socket', status: 101 });
    expect(line).not.toHaveProperty('aborted');
  });

  test('states that the caller disconnected before the end', async () => {
    await sendAndLeave('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(await accessLines(1)).toMatchObject([{ route: '/slow', status: 200, aborted: true }]);
  });

  test('contains one successful request to a polled route a minute, and each failed one', async () => {
    const polled = ['/health', '/health', '/metrics', '/metrics', '/health/ready', '/health/ready'];
    for (const path of polled) await (await fetch(url + path)).text();
    expect((await accessLines(4)).map(({ route, status }) => `${route} ${status}`)).toEqual([
      '/health 200',
      '/metrics 200',
      '/health/ready 503',
      '/health/ready 503',
    ]);
  });
});
