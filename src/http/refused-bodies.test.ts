import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_DISCARDED_BYTES } from './connections/serial-requests.ts';
import { listen } from './listen.ts';
import { createBareServer } from './server.ts';

let app: FastifyInstance;
let port = 0;
beforeAll(async () => {
  app = createBareServer(pino({ level: 'silent' }));
  app.post('/body', (request) => ({ body: request.body }));
  app.get('/text', () => 'text');
  port = Number(new URL(await listen(app, '127.0.0.1', 0)).port);
});
afterAll(async () => {
  app.server.closeAllConnections();
  await app.close();
});

/** A connection: both of its sides, and what the client has received. */
async function dial() {
  const accepted = once(app.server, 'connection') as Promise<[Socket]>;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const errors: string[] = [];
  socket.on('error', ({ message }) => errors.push(message));
  const [side] = await accepted;
  // A body that ends early is an error of the connection.
  const closed = new Promise((resolve) => side.once('close', resolve));
  return { socket, side, closed, errors };
}

/** Reads a connection until the server ends it. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
  });
  await once(socket, 'end');
  return text;
}

const head = (method: string, path: string, ...lines: readonly string[]) =>
  [`${method} ${path} HTTP/1.1`, 'Host: a', ...lines, '', ''].join('\r\n');
const json = 'Content-Type: application/json';
const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
const chunked = 'Transfer-Encoding: chunked';
const isWhole = (text: string) => {
  const [lines = '', body = ''] = text.split('\r\n\r\n');
  return Number(/content-length: (\d+)/i.exec(lines)?.[1]) === body.length;
};

describe('an endless body', () => {
  test.each([
    ['to an unknown path', 'POST', '/none', 404, [chunked]],
    ['to a route with other methods', 'PUT', '/body', 405, [chunked, json]],
    ['over the limit of its route', 'POST', '/body', 413, [chunked, json]],
    ['of another type', 'POST', '/body', 415, [chunked, 'Content-Type: text/plain']],
    ['of a GET request', 'GET', '/text', 200, [chunked]],
    ['of a HEAD request', 'HEAD', '/text', 200, [chunked]],
    ['that ends the connection', 'POST', '/none', 404, [chunked, 'Connection: close']],
    ['that is stated to be long', 'POST', '/none', 404, ['Content-Length: 99999999999']],
    ['that is expected', 'POST', '/none', 404, [chunked, 'Expect: 100-continue']],
  ])('%s is read in part, and its sender gets the response', async (_name, method, path, status, lines) => {
    const { socket, side, closed, errors } = await dial();
    socket.write(head(method, path, ...lines));
    const send = () => {
      while (!socket.writableEnded && socket.write(chunk));
    };
    socket.on('drain', send);
    send();
    const text = (await readAll(socket)).replace('HTTP/1.1 100 Continue\r\n\r\n', '');
    socket.end();
    await closed;
    expect([text.slice(9, 12), method === 'HEAD' || isWhole(text), errors]).toEqual([String(status), true, []]);
    expect(side.bytesRead).toBeLessThan(16 * MAX_DISCARDED_BYTES);
  });
});

test('a client that sends all of a long body before it reads gets the response', async () => {
  const { socket, errors } = await dial();
  const size = 8 * MAX_DISCARDED_BYTES;
  socket.write(head('POST', '/none', `Content-Length: ${size}`));
  await new Promise((sent) => socket.write(' '.repeat(size), sent));
  const text = await readAll(socket);
  expect([text.slice(9, 12), isWhole(text), errors]).toEqual(['404', true, []]);
  expect(text).toMatch(/^connection: close\r$/im);
  socket.end();
});

test.each([
  ['to an unknown path', '/none', 404],
  ['that is too large', '/body', 413],
])('a body %s leaves the connection open if its rest is short', async (_name, path, status) => {
  const { socket } = await dial();
  socket.write(head('POST', path, json, `Content-Length: ${MAX_DISCARDED_BYTES}`));
  socket.write(' '.repeat(MAX_DISCARDED_BYTES));
  socket.write(head('GET', '/text', 'Connection: close'));
  const text = await readAll(socket);
  expect(text.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual([String(status), '200']);
  socket.end();
});
