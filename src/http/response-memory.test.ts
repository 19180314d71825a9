import { once } from 'node:events';
import type { Socket } from 'node:net';
import Fastify from 'fastify';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { holdSocket, sendRaw } from '../../test/support/raw-request.ts';
import { addCompression } from './compression.ts';
import { createConnectionTracker } from './connections/connection-tracker.ts';
import { addResponseMemory } from './response-memory.ts';
import { createServer } from './server.ts';

const MB = 1_000_000;
/** More than the buffers of two sockets hold. */
const RESPONSE_BYTES = 16 * MB;
const reader = '127.0.0.2';
const other = '127.0.0.3';

const open: (() => unknown)[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  closeAll();
  for (const close of open.splice(0).reverse()) await close();
});

function closeAll(): void {
  for (const socket of sockets.splice(0)) socket.destroy();
}

/** Starts a server on which a client can hold three responses of `/large`. */
async function serve() {
  const limits = { max: 100, maxPerClient: 100, proxies: ['127.0.0.99'], memory: 200 * MB };
  const app = await createServer(pino({ level: 'silent' }), { connections: createConnectionTracker(limits) });
  const text = 'x'.repeat(RESPONSE_BYTES);
  app.get('/large', () => ({ text }));
  app.get('/shared', { config: { compress: false } }, () => text);
  app.get('/small', () => ({ text: 'x' }));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  open.push(() => app.close());
  open.push(() => app.server.closeAllConnections());
  return {
    get: async (target: string, from: string) => {
      const { status, headers, body } = await sendRaw(url, { method: 'GET', target, from });
      return [status, headers.get('retry-after'), /"code":"(\w+)"/.exec(body.slice(0, 1_000))?.[1]];
    },
    /** Sends a request, and reads the beginning of its response only. */
    async hold(target: string): Promise<number> {
      const { socket, received } = await holdSocket(url, reader, `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
      sockets.push(socket);
      if (received() === '') await once(socket, 'data');
      socket.pause();
      return Number(received().slice(9, 12));
    },
  };
}

describe('large responses that a client does not read', () => {
  test('are refused beyond its memory, until it closes some, and others are served', async () => {
    const { get, hold } = await serve();
    const statuses: number[] = [];
    for (let sent = 0; sent < 5; sent += 1) statuses.push(await hold('/large'));
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect(await get('/large', reader)).toEqual([429, '5', 'rate_limited']);
    expect(await get('/small', reader)).toEqual([200, undefined, undefined]);
    expect(await get('/large', other)).toEqual([200, undefined, undefined]);
    closeAll();
    await expect.poll(() => get('/large', reader)).toEqual([200, undefined, undefined]);
  });

  test('do not count if all responses share them', async () => {
    const { get, hold } = await serve();
    for (let sent = 0; sent < 5; sent += 1) expect(await hold('/shared')).toBe(200);
    expect(await get('/large', reader)).toEqual([200, undefined, undefined]);
  });
});

test('a response counts with its size before it is compressed, and then with the smaller one', async () => {
  const held: number[] = [];
  const app = Fastify();
  app.decorateRequest('memory');
  app.addHook('onRequest', async (request) => {
    request.memory = {
      resize: (bytes) => {
        held.push(bytes);
        return undefined;
      },
      release: () => undefined,
      spare: () => 0,
    };
  });
  addResponseMemory(app);
  addCompression(app, async () => Buffer.alloc(7));
  app.get('/', () => ({ text: 'x'.repeat(MB) }));
  await app.inject({ url: '/', headers: { 'accept-encoding': 'br' } });
  expect(held).toEqual([MB + '{"text":""}'.length, 7]);
});
