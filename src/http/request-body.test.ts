import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createConnectionTracker } from './connections/connection-tracker.ts';
import { listen } from './listen.ts';
import { createBareServer } from './server.ts';

const LIMIT = 200_000;
let app: FastifyInstance;
let url: URL;
beforeAll(async () => {
  app = createBareServer(pino({ level: 'silent' }));
  app.post('/echo', { bodyLimit: LIMIT }, (request) => ({ body: request.body }));
  url = new URL(await listen(app, '127.0.0.1', 0));
});
afterAll(() => app.close());

/** Sends bytes of a request, and returns the status and the body of the response. */
function exchange(...parts: readonly (string | Buffer)[]): Promise<readonly [status: number, body: unknown]> {
  return exchangeWith(url, ...parts);
}

async function exchangeWith(
  url: URL,
  ...parts: readonly (string | Buffer)[]
): Promise<readonly [status: number, body: unknown]> {
  const socket = connect(Number(url.port), url.hostname);
  try {
    for (const part of parts) socket.write(part);
    return await readResponse(socket);
  } finally {
    socket.destroy();
  }
}

async function readResponse(socket: Socket): Promise<readonly [status: number, body: unknown]> {
  let text = '';
  for (;;) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    text += chunk.toString();
    const [head = '', body = ''] = text.split('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (Buffer.byteLength(body) >= length) return [Number(head.slice(9, 12)), JSON.parse(body)];
  }
}

const head = (path: string, framing: string, type = 'application/json') =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\n${framing}\r\n\r\n`;
const chunkedHead = (path: string) => head(path, 'Transfer-Encoding: chunked');
const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
const failure = (code: string, message: RegExp) => ({ error: { code, message: expect.stringMatching(message) } });

test('a body is read whatever chunks it arrives in', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.jsonValue({ stringUnit: 'grapheme' }),
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      async (value, sizes) => {
        const bytes = Buffer.from(JSON.stringify({ value }));
        const chunks: Buffer[] = [];
        for (let at = 0; at < bytes.length; ) {
          const { value: size } = sizes.next();
          chunks.push(chunk(bytes.subarray(at, at + size)));
          at += size;
        }
        const response = await exchange(chunkedHead('/echo'), ...chunks, '0\r\n\r\n');
        expect(response).toEqual([200, { body: JSON.parse(bytes.toString()) }]);
      },
    ),
    { numRuns: 50, seed: 1 },
  );
});

describe('a body', () => {
  const stated = (body: string) => [head('/echo', `Content-Length: ${Buffer.byteLength(body)}`), body];
  const names = Array.from({ length: 2_001 }, (_, at) => `"${at.toString(36)}":0`);
  const text = 'é'.repeat(LIMIT / 2 - 1);

  test.each([
    ['of the maximum size is taken', stated(JSON.stringify(text)), 200, { body: text }],
    [
      'of the maximum size in chunks of one byte is taken',
      [chunkedHead('/echo'), `${'1\r\n \r\n'.repeat(LIMIT - 1)}1\r\n7\r\n0\r\n\r\n`],
      200,
      { body: 7 },
    ],
    [
      'whose stated size is over the limit is not read',
      [head('/echo', `Content-Length: ${LIMIT + 1}`)],
      413,
      failure('body_too_large', /limit/),
    ],
    [
      'whose chunks exceed the limit is not read further',
      [chunkedHead('/echo'), '1\r\n \r\n'.repeat(LIMIT + 1)],
      413,
      failure('body_too_large', /limit/),
    ],
    ['that is empty is refused', [chunkedHead('/echo'), '0\r\n\r\n'], 400, failure('invalid_body', /empty/)],
    ['that is not JSON is refused', stated('{'), 400, failure('invalid_body', /not valid JSON/)],
    [
      'with a member __proto__ is refused',
      stated('{"a":{"__proto__":{}}}'),
      400,
      failure('invalid_body', /not valid JSON/),
    ],
    [
      'with a constructor is refused',
      stated('{"constructor":{"prototype":1}}'),
      400,
      failure('invalid_body', /not valid JSON/),
    ],
    [
      'with a member __proto__ at its end is refused',
      stated(`[${'{"constructor":0},'.repeat(10_000)}{"__proto__":0}]`),
      400,
      failure('invalid_body', /not valid JSON/),
    ],
    ['with too many member names is refused', stated(`{${names}}`), 400, failure('invalid_body', /more than 2000/)],
    ['with many member names is taken', stated(`{${names.slice(1)}}`), 200, expect.anything()],
    [
      'of another type is refused',
      [head('/echo', 'Content-Length: 9', 'text/plain')],
      415,
      failure('invalid_body', /JSON/),
    ],
  ])('%s', async (_name, parts, status, content) => {
    expect(await exchange(...parts)).toMatchObject([status, content]);
  });

  test.each([
    ['path', 'POST', '/none', 404],
    ['method', 'PUT', '/echo', 405],
  ])('at an unknown %s is not read', async (_name, method, path, status) => {
    for (const framing of ['Content-Length: 1000', 'Transfer-Encoding: chunked', 'Content-Length: 99999999999']) {
      const [got] = await exchange(head(path, framing).replace('POST', method));
      expect(got).toBe(status);
    }
  });

  test('that has another size than stated is refused', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': '9' };
    const response = await app.inject({ method: 'POST', url: '/echo', headers, payload: '{}' });
    expect([response.statusCode, response.json()]).toMatchObject([400, failure('invalid_body', /Content-Length/)]);
  });

  test.each([
    ['that is not JSON', '{'],
    ['with too many member names', `{${names}}`],
  ])('%s leaves the connection open', async (_name, body) => {
    const socket = connect(Number(url.port), url.hostname);
    for (const part of stated(body)) socket.write(part);
    expect((await readResponse(socket))[0]).toBe(400);
    for (const part of stated('{}')) socket.write(part);
    expect(await readResponse(socket)).toEqual([200, { body: {} }]);
    socket.destroy();
  });
});

describe('bodies of one client that would hold more than its memory', () => {
  test.each([
    ['of one address', ['10.0.0.0/8'], 429, 'rate_limited'],
    ['of a proxy that names no client', [], 503, 'service_unavailable'],
  ] as const)('%s are refused, until another has a response', async (_name, proxies, status, code) => {
    const memory = proxies.length === 0 ? 320_000 : 4 * 320_000;
    const refusals: string[] = [];
    const connections = createConnectionTracker(
      { max: 100, maxPerClient: 100, proxies, memory },
      { onRefused: (reason) => refusals.push(reason) },
    );
    const limited = createBareServer(pino({ level: 'silent' }), connections);
    onTestFinished(() => limited.close());
    const arrived = Promise.withResolvers<void>();
    const response = Promise.withResolvers<void>();
    limited.post('/wait', async () => {
      arrived.resolve();
      await response.promise;
      return {};
    });
    limited.post('/echo', (request) => ({ body: request.body }));
    const there = new URL(await listen(limited, '127.0.0.1', 0));
    const body = JSON.stringify('x'.repeat(60_000));
    const large = (path: string) => [head(path, `Content-Length: ${body.length}`), body];
    const first = exchangeWith(there, ...large('/wait'));
    await arrived.promise;
    const small = [chunkedHead('/echo'), '1\r\n7\r\n0\r\n\r\n'];
    expect(await exchangeWith(there, ...small)).toEqual([200, { body: 7 }]);
    expect(await exchangeWith(there, ...large('/echo'))).toMatchObject([status, { error: { code } }]);
    expect(refusals).toEqual(['memory']);
    response.resolve();
    await first;
    expect((await exchangeWith(there, ...large('/echo')))[0]).toBe(200);
  });
});
