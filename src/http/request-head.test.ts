import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen } from './listen.ts';
import { routedPath } from './request-head.ts';
import { createServer } from './server.ts';

let app: Awaited<ReturnType<typeof createServer>>;
let port: number;

beforeAll(async () => {
  app = await createServer(pino({ level: 'silent' }));
  app.get('/', () => ({ page: true }));
  app.get('/plain', () => ({ plain: true }));
  app.get('/named/:name', ({ params }) => params);
  app.route({
    method: 'GET',
    url: '/socket/:id',
    exposeHeadRoute: false,
    handler: () => ({ socket: false }),
    wsHandler: (socket) => socket.close(),
  });
  port = Number(new URL(await listen(app, '127.0.0.1', 0)).port);
});
afterAll(() => app.close());

/** Returns the whole response to these header lines, until the server closes the connection. */
function respond(...lines: readonly string[]): Promise<string> {
  return respondTo(`${lines.join('\r\n')}\r\n\r\n`);
}

async function respondTo(bytes: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port });
  socket.write(bytes, 'latin1');
  return await text(socket);
}

/** An empty masked frame that closes a WebSocket (RFC 6455 §5.5.1); a server waits for it for half a minute. */
const closeFrame = '\x88\x80\0\0\0\0';

const usual = ['Host: x', 'Connection: close'];
const handshake = [
  'Host: x',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

test('a request without a host is rejected in the envelope', async () => {
  const response = await respond('GET /plain HTTP/1.1', 'Connection: close');
  expect(response).toMatch(/^HTTP\/1\.1 400 /);
  expect(response).toContain('"code":"invalid_params"');
  expect(await respond('GET /plain HTTP/1.0')).toMatch(/^HTTP\/1\.1 200 /);
});

test.each(['*', '*plain'])('the target %s matches no route', async (target) => {
  expect(await respond(`GET ${target} HTTP/1.1`, ...usual)).toMatch(/^HTTP\/1\.1 400 /);
});

test.each(['/named/', '/named/?x=1', '/socket/'])('the path %s with an empty segment is not found', async (target) => {
  for (const method of ['GET', 'DELETE']) {
    expect(await respond(`${method} ${target} HTTP/1.1`, ...usual)).toMatch(/^HTTP\/1\.1 404 /);
  }
});

test('an unknown expectation is ignored', async () => {
  expect(await respond('GET /plain HTTP/1.1', ...usual, 'Expect: something')).toMatch(/^HTTP\/1\.1 200 /);
});

test.each([
  ['/%70lain', '405'],
  ['http://elsewhere.example/plain', '405'],
  ['/plain#%zz', '405'],
  ['/nothing#%zz', '404'],
  ['/%zz', '400'],
])('a request with another method at %s gets status %s', async (target, status) => {
  expect(await respond(`DELETE ${target} HTTP/1.1`, ...usual)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

test('routedPath returns the path as the router compares it', () => {
  expect(routedPath('https://a.example?x=/y')).toBe('');
  expect(routedPath('/%61%2Fb?c')).toBe('/a%2Fb');
});

describe('an upgrade', () => {
  test('is accepted at a WebSocket route', async () => {
    const head = ['GET /socket/1 HTTP/1.1', ...handshake].join('\r\n');
    expect(await respondTo(`${head}\r\n\r\n${closeFrame}`)).toMatch(/^HTTP\/1\.1 101 /);
  });

  test('with an invalid handshake is rejected in the envelope', async () => {
    const response = await respond('GET /socket/1 HTTP/1.1', ...handshake.slice(0, -1));
    expect(response).toMatch(/^HTTP\/1\.1 400 .*application\/json/s);
  });

  test.each([
    ['GET', '/plain'],
    ['HEAD', '/plain'],
    ['DELETE', '/socket/1'],
    ['GET', '/nothing'],
    ['GET', '/%zz'],
    ['GET', '/socket/%zz'],
    ['GET', '/socket/'],
    ['GET', `/socket/${'x'.repeat(9_000)}`],
  ])('leaves no connection open if it opens no WebSocket: %s %s', async (method, target) => {
    const lines = handshake.map((line) => (line.startsWith('Connection') ? 'Connection: close, Upgrade' : line));
    expect(await respond(`${method} ${target} HTTP/1.1`, ...lines)).toMatch(/^HTTP\/1\.1 (?:200|400|404|405|414) /);
  });

  test('is refused with a response that says that the connection is closed', async () => {
    const head = [`GET /socket/${'x'.repeat(8_200)} HTTP/1.1`, ...handshake].join('\r\n');
    const response = await respondTo(`${head}\r\n\r\nGET /plain HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(response).toMatch(/^HTTP\/1\.1 414 .*connection: close/is);
  });

  test('to another protocol, such as the one that curl --http2 sends, is ignored', async () => {
    const lines = ['Host: x', 'Connection: close, Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'];
    expect(await respond('GET /plain HTTP/1.1', ...lines)).toMatch(/^HTTP\/1\.1 200 /);
  });
});
