import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { createConnectionPool } from './connection-pool.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

test('keeps the connections that were used last, and only some of them, to however many origins', async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  closers.push(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const pool = createConnectionPool((_options, callback) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => callback(null, socket));
  }, 256);
  closers.push(pool.close);
  const { signal } = new AbortController();
  const urls = Array.from({ length: 300 }, (_, at) => new URL(`http://s${at}.example/`));
  for (const url of urls) pool.release(url, await pool.acquire(url, signal), 600_000);
  await vi.waitFor(() => expect(sockets.size).toBe(128), { timeout: 60_000 });
  for (const url of urls.slice(-128)) await pool.acquire(url, signal);
  expect(sockets.size).toBe(128);
});
