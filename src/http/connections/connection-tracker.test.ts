import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { createBareServer, createServer, type ServerSettings } from '../server.ts';
import { createConnectionTracker } from './connection-tracker.ts';

const log = pino({ level: 'silent' });
const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** Starts a server with an endless download, a stream that has begun, a slow response and a route that takes a body. */
async function serve(settings: ServerSettings = {}, logger = log) {
  const app = await createServer(logger, settings);
  open.push(() => app.server.closeAllConnections());
  const files: PassThrough[] = [];
  app.get('/endless', { config: { compress: false } }, (_request, reply) => {
    const file = new PassThrough();
    files.push(file);
    const chunk = Buffer.alloc(64 * 1024);
    const fill = () => {
      while (!file.destroyed && file.write(chunk));
    };
    file.on('drain', fill);
    fill();
    return reply.send(file);
  });
  app.get('/stream', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
    reply.raw.write('data: 1\n\n');
  });
  app.get('/slow', () => new Promise(() => undefined));
  app.get('/health', { config: { exemptFromLimit: true } }, () => 'well');
  app.get('/socket', { websocket: true }, () => undefined);
  app.post('/body', (request) => request.body);
  return { ...(await started(app)), files };
}

async function started(app: FastifyInstance) {
  open.push(() => app.close());
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  return { app, dial: () => dial(Number(port)) };
}

/** Connects a client that never closes its side. */
async function dial(port: number) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  open.push(() => socket.destroy());
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return { socket, receivedText: () => text, ended: once(socket, 'end') };
}

const upgrade =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';

/** Waits until the server has no connections. */
const untilEmpty = async (app: FastifyInstance) => {
  const count = () =>
    new Promise<number>((resolve, reject) => {
      app.server.getConnections((error, number) => (error === null ? resolve(number) : reject(error)));
    });
  await expect.poll(count).toBe(0);
};

describe('a request that arrives too slowly', () => {
  const doors = [
    ['of callers', () => createServer(log, { requestTimeout: 200 })],
    ['of the operator', async () => createBareServer(log)],
  ] as const;

  test.each(doors)('is detected within a second by the server %s, in headers and in the body', async (_name, door) => {
    const app = await door();
    open.push(() => app.close());
    const { headersTimeout, requestTimeout } = app.server;
    expect(headersTimeout).toBe(requestTimeout);
    expect([200, 30_000]).toContain(requestTimeout);
    // Node has no documented way to read the value.
    expect(app.server).toMatchObject({ connectionsCheckingInterval: 1_000 });
  });

  test.each([
    ['headers', 'GET /health HTTP/1.1\r\nHost: a\r\nX-A: ', 'a'],
    ['headers', 'GET /health HTTP/1.1\r\n', 'X-A: b\r\n'],
    [
      'a body',
      'POST /body HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"',
      'a',
    ],
    [
      'a chunked body',
      'POST /body HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      '1\r\na\r\n',
    ],
  ])('gets status 408 although %s keep coming', async (_name, begin, more) => {
    const { dial } = await serve({ requestTimeout: 200 });
    const { socket, receivedText, ended } = await dial();
    socket.write(begin);
    const trickle = setInterval(() => socket.write(more), 20);
    open.push(() => clearInterval(trickle));
    await ended;
    expect(receivedText()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  test('does not get a second response if one has begun', async () => {
    const { app, dial } = await serve({ requestTimeout: 200 });
    const { socket, receivedText, ended } = await dial();
    socket.write('GET /stream HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n');
    await Promise.race([ended, once(socket, 'close')]);
    expect(receivedText()).toMatch(/^HTTP\/1\.1 200 /);
    expect(receivedText()).not.toContain('408');
    await untilEmpty(app);
  });
});

describe('a request that got its response before its body', () => {
  const early = 'OPTIONS /body HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{';

  test.each([
    ['ends with the connection', (socket: Socket) => socket.end()],
    ['does not arrive in time', () => undefined],
    ['is malformed', (socket: Socket) => socket.write('x')],
  ])('gets no second one if the body %s', async (_name, act) => {
    const isMalformed = _name === 'is malformed';
    const { dial } = await serve({ requestTimeout: isMalformed ? 30_000 : 200 });
    const { socket, receivedText, ended } = await dial();
    socket.write(isMalformed ? early.replace('Content-Length: 100', 'Transfer-Encoding: chunked') : early);
    await expect.poll(receivedText).toMatch(/^HTTP\/1\.1 204 /);
    act(socket);
    await ended;
    expect(receivedText().match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});

describe('an idle connection', () => {
  test('is closed together with the file that it downloads', async () => {
    const { app, dial, files } = await serve({ idleTimeout: 1_000 });
    const { socket } = await dial();
    socket.pause();
    socket.write('GET /endless HTTP/1.1\r\nHost: a\r\n\r\n');
    await untilEmpty(app);
    await expect.poll(() => files.map(({ destroyed }) => destroyed)).toEqual([true]);
  });

  test('is closed if its client has closed its side and reads nothing', async () => {
    const { app, dial, files } = await serve({ idleTimeout: 1_000 });
    const { socket } = await dial();
    socket.pause();
    socket.end('GET /endless HTTP/1.1\r\nHost: a\r\n\r\n');
    await untilEmpty(app);
    await expect.poll(() => files.map(({ destroyed }) => destroyed)).toEqual([true]);
  });

  test('is closed if an upgrade arrived during the response to another request', async () => {
    const { app, dial } = await serve({ idleTimeout: 1_000 });
    const { socket } = await dial();
    socket.write(`GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /socket HTTP/1.1\r\nHost: a\r\n${upgrade}`);
    await untilEmpty(app);
  });

  test('is closed after a rejected handshake', async () => {
    const { app, dial } = await serve();
    const { socket, receivedText } = await dial();
    socket.write(`GET /socket HTTP/1.1\r\nHost: a\r\n${upgrade.replace('13', '12')}`);
    await untilEmpty(app);
    expect(receivedText()).toMatch(/^HTTP\/1\.1 4\d\d /);
  });
});

test.each([
  ['/health?sealed', 200],
  ['/nothing?sealed', 404],
])('a handshake at %s, which is not a WebSocket, is served as an ordinary request', async (target, status) => {
  const lines: string[] = [];
  const { dial } = await serve({}, pino({ level: 'info' }, { write: (line: string) => lines.push(line) }));
  const { socket, receivedText } = await dial();
  socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\n${upgrade}`);
  await expect.poll(receivedText).toContain(`HTTP/1.1 ${status} `);
  expect(lines.join('')).not.toContain('sealed');
  socket.destroy();
});

describe('a server without free connections', () => {
  const serveTwo = () => serve({ connections: createConnectionTracker({ max: 2, maxPerClient: 2, proxies: [] }) });

  async function fill(dialling: () => ReturnType<typeof dial>): Promise<Socket[]> {
    const sockets: Socket[] = [];
    for (const _ of [1, 2]) {
      const { socket, receivedText } = await dialling();
      socket.write('GET /stream HTTP/1.1\r\nHost: a\r\n\r\n');
      await expect.poll(receivedText).toContain('data: 1');
      sockets.push(socket);
    }
    return sockets;
  }

  test('returns 503 everywhere except at /health, and closes the connection in both cases', async () => {
    const { dial } = await serveTwo();
    await fill(dial);
    for (const [target, status] of [
      ['/slow', 503],
      ['/nothing', 503],
      ['/health', 200],
    ] as const) {
      const { socket, receivedText, ended } = await dial();
      socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
      await ended;
      expect(receivedText()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(receivedText().toLowerCase()).toContain('connection: close');
    }
  });

  test('serves a connection that was over the limit once another one is closed', async () => {
    const { dial } = await serveTwo();
    const [first] = await fill(dial);
    const early = await dial();
    first?.destroy();
    const late = await dial();
    late.socket.write('GET /health HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(late.receivedText).toMatch(/^HTTP\/1\.1 200 /);
    late.socket.destroy();
    await expect
      .poll(async () => {
        const previousLength = early.receivedText().length;
        early.socket.write('GET /health HTTP/1.1\r\nHost: a\r\n\r\n');
        await expect.poll(early.receivedText).not.toHaveLength(previousLength);
        return early.receivedText();
      })
      .toMatch(/^HTTP\/1\.1 200 /);
  });

  test('never has more connections than its maximum and those reserved for health checks', async () => {
    const connections = createConnectionTracker({ max: 2, maxPerClient: 2, proxies: [] });
    const { dial } = await serve({ connections });
    await fill(dial);
    for (let count = 0; count < 100; count += 1) await dial();
    await expect.poll(() => connections.open).toBe(2 + 64);
  });
});
