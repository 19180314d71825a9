import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClientMemory } from './client-memory.ts';
import { createFairTurns } from './fair-turns.ts';
import { serveSerially } from './serial-requests.ts';

const servers: Server[] = [];
/** Whether the next step of the second server has to wait for another turn. */
let mustWait = () => false;
let promptPort = 0;
let delayedPort = 0;

beforeAll(async () => {
  promptPort = await serve(() => false);
  delayedPort = await serve(() => mustWait());
});
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

/** Starts a server whose responses repeat the requests. */
async function serve(mustWaitNow: () => boolean): Promise<number> {
  const server = createServer({ shouldUpgradeCallback: ({ url }) => url === '/upgrade' });
  servers.push(server);
  const openMemory = () => createClientMemory(Number.POSITIVE_INFINITY).open(undefined);
  serveSerially(server, { clientOf: () => ['a'], turns: { ...createFairTurns(), mustWait: mustWaitNow }, openMemory });
  server.on('request', respond);
  server.on('upgrade', (_request, socket) => echo(socket));
  server.on('clientError', (_error, socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

const respond: RequestListener = (request, response) => {
  response.sendDate = false;
  const { method, url, headers } = request;
  let body = '';
  const end = () => response.end(JSON.stringify([method, url, headers, body, request.trailers]));
  // A malformed body has an error instead of an end.
  request.on('error', () => undefined);
  if (url === '/refuse') end();
  else request.on('data', (bytes) => (body += bytes)).on('end', end);
};

/** Another protocol, which ends with an exclamation mark. */
function echo(socket: Duplex): void {
  socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
  socket.on('data', (bytes) => {
    socket.write(bytes);
    if (bytes.includes('!')) socket.end();
  });
}

/** Sends bytes in parts, and returns all that the server sent. */
async function exchange(port: number, parts: readonly Buffer[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const closed = once(socket, 'close');
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
  });
  for (const part of parts) {
    socket.write(part);
    await new Promise((sent) => setImmediate(sent));
  }
  await closed;
  return text;
}

const head = (method: string, target: string, ...lines: readonly string[]) =>
  [`${method} ${target} HTTP/1.1`, 'Host: a', ...lines, '', ''].join('\r\n');
/** Up to several steps long. */
const body = fc
  .tuple(fc.constantFrom('x', '\r\n', '\r\n\r\n', head('GET', '/no')), fc.integer({ min: 0, max: 10_000 }))
  .map(([text, length]) => text.repeat(Math.ceil(length / text.length)));
const target = fc.constantFrom('/', '/refuse');

const requests = fc.oneof(
  target.map((path) => head('GET', path)),
  fc.integer({ min: 0, max: 8_000 }).map((length) => head('GET', `/${'a'.repeat(length)}`)),
  fc.tuple(target, body).map(([path, text]) => head('POST', path, `Content-Length: ${text.length}`) + text),
  fc
    .tuple(target, body, fc.integer({ min: 1, max: 8_000 }), fc.constantFrom('', 'A: b\r\n'))
    .map(([path, text, size, trailer]) => {
      const chunks = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
      const framed = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
      return `${head('POST', path, 'Transfer-Encoding: chunked')}${framed}0\r\n${trailer}\r\n`;
    }),
  fc
    .tuple(target, fc.integer({ min: 1, max: 1_500 }))
    .map(
      ([path, count]) => `${head('POST', path, 'Transfer-Encoding: chunked')}${'1\r\nx\r\n'.repeat(count)}0\r\n\r\n`,
    ),
);
const last = fc.oneof(
  fc.constant(head('GET', '/', 'Connection: close')),
  body.map((text) => head('POST', '/refuse', 'Connection: close', `Content-Length: ${text.length}`) + text),
  fc.constant('NO HTTP\r\n\r\n'),
  fc.constant(`${head('POST', '/', 'Transfer-Encoding: chunked')}1\r\nx\r\nno chunk\r\n`),
  body.map((text) => `${head('GET', '/upgrade', 'Connection: Upgrade', 'Upgrade: echo')}${text}!`),
);

test('requests get the same responses whenever their steps are delayed and wherever their bytes are cut', async () => {
  const fractions = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 });
  const connection = fc.tuple(fc.array(requests, { maxLength: 4 }), last, fractions);
  const delays = fc.array(fc.boolean(), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(fc.array(connection, { minLength: 1, maxLength: 3 }), delays, async (connections, pattern) => {
      const texts = connections.map(([messages, end]) => messages.join('') + end);
      const expected = await Promise.all(texts.map((text) => exchange(promptPort, [Buffer.from(text)])));
      let step = 0;
      mustWait = () => pattern[step++ % pattern.length] === true;
      const received = connections.map(([, , cuts], at) => exchange(delayedPort, cut(texts[at] ?? '', cuts)));
      expect(await Promise.all(received)).toEqual(expected);
    }),
  );
});

/** Cuts a text at positions that are given as fractions. */
function cut(text: string, fractions: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const positions = fractions.map((part) => Math.floor(part * bytes.length)).sort((a, b) => a - b);
  return [0, ...positions].map((from, index) => bytes.subarray(from, positions[index] ?? bytes.length));
}

test('a request that waits for its turn gets its response although its client has closed its side', async () => {
  mustWait = () => true;
  const socket = connect({ port: delayedPort, host: '127.0.0.1', allowHalfOpen: true });
  socket.end(`${head('POST', '/refuse', 'Transfer-Encoding: chunked')}${'1\r\nx\r\n'.repeat(5_000)}0\r\n\r\n`);
  let text = '';
  for await (const bytes of socket) text += bytes;
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\/refuse/s);
});

test('a connection that is reset while it waits for its turn affects no other', async () => {
  mustWait = () => true;
  const socket = connect({ port: delayedPort, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => servers[1]?.once('connection', (side) => side.once('close', resolve)));
  socket.write(head('POST', '/', 'Transfer-Encoding: chunked') + '1\r\nx\r\n'.repeat(50_000), () =>
    socket.resetAndDestroy(),
  );
  await closed;
  const text = await exchange(delayedPort, [Buffer.from(head('GET', '/', 'Connection: close'))]);
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});
