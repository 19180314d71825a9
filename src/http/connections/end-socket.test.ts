import { once } from 'node:events';
import { connect } from 'node:net';
import { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createServer } from '../server.ts';
import { endSocket } from './end-socket.ts';

const log = pino({ level: 'silent' });
const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
  vi.useRealTimers();
});

/** More bytes than both sides of a connection buffer. */
const MANY_BYTES = 16 * 1024 * 1024;

describe('a client that sends more than the server reads', () => {
  const post = (path: string, headers: string) => `POST ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n\r\n`;
  const json = 'Content-Type: application/json';
  const chunk = `${MANY_BYTES.toString(16)}\r\n`;

  test.each([
    ['a body that is too large', post('/body', `${json}\r\nContent-Length: ${MANY_BYTES}`), 413],
    ['a body in chunks that is too large', `${post('/body', `${json}\r\nTransfer-Encoding: chunked`)}${chunk}`, 413],
    ['bytes after the last request', 'GET /text HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 200],
    ['bytes after a head that is not HTTP', 'GET /text HTTP/x\r\n\r\n', 400],
  ])('gets the whole response before the connection ends: %s', async (_name, head, status) => {
    const app = await createServer(log);
    open.push(() => app.close());
    app.post('/body', (request) => request.body);
    app.get('/text', { config: { compress: false } }, () => 'x'.repeat(10_000));
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    open.push(() => socket.destroy());
    // Many clients read the response only after they have sent the request.
    socket.write(head);
    await new Promise((resolve, reject) => {
      socket.write(Buffer.alloc(MANY_BYTES, ' '), (error) => (error == null ? resolve(undefined) : reject(error)));
    });
    const received = text(socket);
    await once(socket, 'end');
    const [first = '', body = ''] = (await received).split('\r\n\r\n');
    expect(first).toContain(`HTTP/1.1 ${status} `);
    expect(body.length).toBe(Number(/^content-length: (\d+)$/im.exec(first)?.[1]));
  });
});

describe('a peer that does not close its side', () => {
  /** Returns a connection whose peer is the test. */
  function connection(): Duplex {
    vi.useFakeTimers();
    const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
    open.push(() => socket.destroy());
    return socket;
  }

  test('is disconnected after a second of silence', () => {
    const socket = connection();
    endSocket(socket, 'x');
    vi.advanceTimersByTime(999);
    expect(socket.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    expect(socket.destroyed).toBe(true);
    vi.runAllTicks();
  });

  test('is disconnected after 30 seconds, even if it never stops sending', async () => {
    const socket = connection();
    endSocket(socket, 'x');
    for (let tick = 0; tick < 59; tick += 1) {
      socket.push('x');
      await vi.advanceTimersByTimeAsync(500);
    }
    expect([socket.destroyed, socket.readableLength]).toEqual([false, 0]);
    socket.push('x');
    await vi.advanceTimersByTimeAsync(500);
    expect(socket.destroyed).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});
