import { once } from 'node:events';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { listen } from './listen.ts';
import { createBareServer, createServer } from './server.ts';

const uuid7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const log = pino({ level: 'silent' });
let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  app = await createServer(log);
  app.get('/ok', () => 'ok');
  app.get('/broken', () => Promise.reject(new TypeError('the insides')));
  app.get('/unchanged', (_request, reply) => reply.code(304).send());
  app.get('/hijacked', (_request, reply) => {
    reply.hijack();
    reply.raw.setHeaders(new Map(Object.entries(reply.getHeaders()).map(([name, value]) => [name, value ?? ''])));
    reply.raw.end();
  });
  app.get('/socket', { websocket: true }, (socket) => socket.close());
  url = await listen(app, '127.0.0.1', 0);
});
afterAll(() => app.close());

/** Sends text over a new connection, and returns the response. */
async function exchange(text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.setEncoding('latin1');
  let response = '';
  socket.on('data', (part: string) => {
    response += part;
  });
  socket.end(text);
  await once(socket, 'close');
  return response;
}

describe('the ID of a request', () => {
  test.each(['abc', '01998f3c-76a1-7b2e-8c3d-000000000000', 'a,b', '~'.repeat(128)])(
    'is the valid one %s',
    async (id) => {
      expect((await app.inject({ url: '/ok', headers: { 'x-request-id': id } })).headers['x-request-id']).toBe(id);
    },
  );

  test.each([
    ['absent', undefined],
    ['empty', ''],
    ['too long', 'a'.repeat(129)],
    ['two words', 'a b'],
    ['quoted', '"a"'],
    ['not ASCII', 'ä'],
    ['sent twice', ['a', 'b']],
  ])('is a new UUIDv7 if the received one is %s', async (_name, id) => {
    const headers = id === undefined ? {} : { 'x-request-id': id };
    expect((await app.inject({ url: '/ok', headers })).headers['x-request-id']).toMatch(uuid7);
  });

  test.each([
    ['GET', '/ok', 200],
    ['HEAD', '/ok', 200],
    ['GET', '/unchanged', 304],
    ['GET', '/hijacked', 200],
    ['OPTIONS', '/ok', 204],
    ['GET', '/nothing', 404],
    ['POST', '/ok', 405],
    ['GET', '/%', 400],
    ['GET', '/broken', 500],
  ] as const)('is in the response to %s %s', async (method, path, status) => {
    const response = await app.inject({ method, url: path, headers: { 'x-request-id': 'mine' } });
    expect([response.statusCode, response.headers['x-request-id']]).toEqual([status, 'mine']);
    if (status >= 400) expect(response.json().error.requestId).toBe('mine');
  });

  test('can be read by pages of other sites', async () => {
    expect((await app.inject('/ok')).headers['access-control-expose-headers']).toContain('X-Request-Id');
  });

  test('is in the responses of the server of the operator', async () => {
    const admin = createBareServer(log);
    const response = await admin.inject({ url: '/admin/x', headers: { 'x-request-id': 'mine' } });
    expect([response.headers['x-request-id'], response.json().error.requestId]).toEqual(['mine', 'mine']);
    await admin.close();
  });

  test('is a UUIDv7 in the response to malformed input', async () => {
    const response = await exchange('nonsense\r\n\r\n');
    const [, id] = /\r\nx-request-id: (\S+)\r\n/.exec(response) ?? [];
    expect(id).toMatch(uuid7);
    expect(response).toContain(`"requestId":"${id}"`);
  });

  test('is in the response that opens a WebSocket', async () => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket`, { headers: { 'x-request-id': 'mine' } });
    const [response] = await once(socket, 'upgrade');
    expect(response.headers['x-request-id']).toBe('mine');
    await once(socket, 'close');
  });

  test.each([
    ['/socket', 'Sec-WebSocket-Version: 1\r\n'],
    ['/nothing', ''],
  ])('is in the response that rejects a WebSocket at %s', async (path, headers) => {
    const response = await exchange(
      `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n${headers}X-Request-Id: mine\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1.1 4/);
    expect(response).toContain('x-request-id: mine\r\n');
  });
});
