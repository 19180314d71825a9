import { once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createServer } from './server.ts';

/** Milliseconds that each request takes: more than a turn of the event loop. */
const WORK_MS = 6;

/**
 * Sends a request of each client on a connection of a proxy, all at the same time, and returns the clients in the order
 * in which the server works for them.
 */
async function orderOfWork(clients: readonly string[]): Promise<readonly string[]> {
  const app = await createServer(pino({ level: 'silent' }), { proxies: ['127.0.0.1'] });
  const order: string[] = [];
  app.get('/work', ({ clientAddress }) => {
    order.push(clientAddress);
    for (const end = performance.now() + WORK_MS; performance.now() < end; );
    return 'done';
  });
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const accepted = Promise.withResolvers<unknown>();
  let left = clients.length;
  app.server.on('connection', () => {
    left -= 1;
    if (left === 0) accepted.resolve(undefined);
  });
  const sockets = clients.map(() => connect({ port: Number(port), host: '127.0.0.1' }));
  await Promise.all([accepted.promise, ...sockets.map((socket) => once(socket, 'connect'))]);
  for (const [at, socket] of sockets.entries())
    socket.write(`GET /work HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Forwarded-For: ${clients[at]}\r\n\r\n`);
  await Promise.all(sockets.map((socket) => once(socket.resume(), 'end')));
  await app.close();
  return order;
}

test.each([
  ['of one address', () => '203.0.113.1'],
  ['of many networks of one /48', (index: number) => `2001:db8:1:${index.toString(16)}::1`],
])('requests %s on many connections of a proxy do not delay another client', async (_which, addressOf) => {
  const many = Array.from({ length: 30 }, (_, index) => addressOf(index));
  const order = await orderOfWork([...many, '203.0.113.99']);
  expect(order).toHaveLength(31);
  expect(order.indexOf('203.0.113.99')).toBeLessThan(6);
});
