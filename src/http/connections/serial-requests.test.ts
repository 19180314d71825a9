import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { closeServer, createServer, type ServerSettings } from '../server.ts';

const log = pino({ level: 'silent' });
const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** Starts a server. Its route `/wait/*` responds when the test calls `answer`. */
async function serve(settings: ServerSettings = {}) {
  const app = await createServer(log, settings);
  open.push(() => app.close());
  open.push(() => app.server.closeAllConnections());
  /** The paths of all requests that have run, and the functions that respond to those that wait. */
  const run: string[] = [];
  const answers = new Map<string, () => void>();
  const disconnected: string[] = [];
  app.addHook('onRequest', async (request) => {
    run.push(request.url);
  });
  app.get('/wait/*', (request, reply) => {
    reply.raw.on('close', () => {
      if (!reply.raw.writableFinished) disconnected.push(request.url);
    });
    return new Promise((resolve) => answers.set(request.url, () => resolve(request.url)));
  });
  app.get('/text/*', (request) => request.url);
  app.post('/body', (request) => request.body);
  app.get('/socket', { websocket: true }, (socket) => {
    socket.on('message', (data) => socket.send(`got ${data}`));
  });
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const answer = async (url: string) => {
    await expect.poll(() => answers.has(url)).toBe(true);
    answers.get(url)?.();
  };
  return { app, run, answer, disconnected, dial: () => dial(Number(port)) };
}

async function dial(port: number) {
  const socket = connect(port, '127.0.0.1');
  open.push(() => socket.destroy());
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return { socket, received: () => text };
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
const bodies = (text: string) => [...text.matchAll(/\r\n\r\n(.*?)(?=HTTP\/1\.1|$)/gs)].map(([, body]) => body);
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));

/** Returns the server's side of its only connection. */
async function serverSide(app: FastifyInstance, dialNow: () => Promise<unknown>): Promise<Socket> {
  const { promise, resolve } = Promise.withResolvers<Socket>();
  app.server.once('connection', resolve);
  await dialNow();
  return promise;
}

describe('pipelined requests', () => {
  test('after an ignored upgrade are rejected if they are malformed, wherever they are cut', async () => {
    const { dial } = await serve();
    const upgrade = get('/text/1', 'Upgrade: h2c\r\nConnection: Upgrade\r\n');
    const malformed = '\r\nGET/ /text/2 HTTP/1.1\r\nHost: a\r\n\r\n';
    for (const length of [0, 1, 2, 9, malformed.length - 3, malformed.length - 1]) {
      const { socket, received } = await dial();
      socket.write(upgrade + malformed.slice(0, length));
      await expect.poll(() => statuses(received())).toEqual([200]);
      socket.write(malformed.slice(length));
      await expect.poll(() => statuses(received())).toEqual([200, 400]);
    }
  });

  test('run one after the other and get their responses in order', async () => {
    const { dial, run, answer } = await serve();
    const { socket, received } = await dial();
    socket.write(get('/wait/1') + get('/text/2') + get('/wait/3') + get('/text/4'));
    await answer('/wait/1');
    await expect.poll(() => bodies(received())).toEqual(['/wait/1', '/text/2']);
    await expect.poll(() => run).toEqual(['/wait/1', '/text/2', '/wait/3']);
    await answer('/wait/3');
    await expect.poll(() => bodies(received())).toEqual(['/wait/1', '/text/2', '/wait/3', '/text/4']);
  });

  test('by the thousand run one at a time, and the connection is not read beyond its buffers', async () => {
    const { app, dial, run, answer } = await serve();
    let client: Awaited<ReturnType<typeof dial>> | undefined;
    const side = await serverSide(app, async () => {
      client = await dial();
    });
    const flood = Buffer.from(get('/text/2').repeat(30_000));
    client?.socket.write(get('/wait/1'));
    client?.socket.write(flood);
    await expect.poll(() => side.bytesRead).toBeGreaterThan(64 * 1024);
    // Any other connection is served meanwhile.
    const other = await dial();
    other.socket.write(get('/text/other'));
    await expect.poll(() => statuses(other.received())).toEqual([200]);
    expect(run.filter((url) => url !== '/text/other')).toEqual(['/wait/1']);
    expect(side.bytesRead).toBeLessThanOrEqual(256 * 1024);
    await answer('/wait/1');
    await expect.poll(() => run.filter((url) => url === '/text/2').length).toBeGreaterThan(100);
  });

  test('never run once the client has closed the connection', async () => {
    const { dial, run, disconnected } = await serve();
    const { socket } = await dial();
    socket.write(get('/wait/1') + get('/text/2') + get('/text/3'));
    await expect.poll(() => run).toEqual(['/wait/1']);
    socket.resetAndDestroy();
    await expect.poll(() => disconnected).toEqual(['/wait/1']);
    await (await dial()).socket.write(get('/text/last'));
    await expect.poll(() => run).toEqual(['/wait/1', '/text/last']);
  });

  test('never run after a response that closes the connection', async () => {
    const { dial, run } = await serve();
    const { socket, received } = await dial();
    socket.write(get('/text/1', 'Connection: close\r\n') + get('/text/2') + get('/text/3'));
    await once(socket, 'close');
    expect(bodies(received())).toEqual(['/text/1']);
    expect(run).toEqual(['/text/1']);
  });

  test('are served although they wait for longer than a request may take to arrive', async () => {
    const { dial, answer } = await serve({ requestTimeout: 50 });
    const { socket, received } = await dial();
    socket.write(`${get('/wait/1') + get('/text/2')}POST /body HTTP/1.1\r\nHost: a\r\n`);
    const late = await dial();
    late.socket.write('GET /text/late HTTP/1.1\r\n');
    await expect.poll(() => statuses(late.received())).toEqual([408]);
    await answer('/wait/1');
    await expect.poll(() => bodies(received())).toEqual(['/wait/1', '/text/2']);
    // What had arrived of the last request is parsed only now.
    socket.write('Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}');
    await expect.poll(() => statuses(received())).toEqual([200, 200, 200]);
  });

  test('before a malformed one get their responses first', async () => {
    const { dial, answer } = await serve();
    const { socket, received } = await dial();
    socket.write(`${get('/wait/1')}NO HTTP\r\n\r\n${get('/text/3')}`);
    await answer('/wait/1');
    await once(socket, 'end');
    expect(statuses(received())).toEqual([200, 400]);
  });

  test('continue after a body that was rejected before it had arrived', async () => {
    const { dial } = await serve();
    const { socket, received } = await dial();
    socket.write('POST /body HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 300000\r\n\r\n');
    await expect.poll(() => statuses(received())).toEqual([413]);
    socket.write('\r\n\r\n'.repeat(75_000) + get('/text/1') + get('/text/2'));
    await expect.poll(() => statuses(received())).toEqual([413, 200, 200]);
  });

  test('with an expectation are asked for their body in their turn', async () => {
    const { dial, answer } = await serve();
    const { socket, received } = await dial();
    const head = 'POST /body HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n';
    socket.write(`${get('/wait/1')}${head}Expect: 100-continue\r\n\r\n`);
    await answer('/wait/1');
    await expect.poll(() => statuses(received())).toEqual([200, 100]);
    socket.write(`{}${get('/text/3')}`);
    await expect.poll(() => statuses(received())).toEqual([200, 100, 200, 200]);
  });
});

describe('a WebSocket', () => {
  const handshake =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
  /** A text frame that contains "x" (RFC 6455 §5.2). */
  const frame = '\x81\x81\x00\x00\x00\x00x';

  test('is opened after the responses to earlier requests, and receives what followed its handshake', async () => {
    const { dial, answer } = await serve();
    const { socket, received } = await dial();
    socket.write(`${get('/wait/1')}${get('/socket', handshake)}${frame}`, 'latin1');
    await answer('/wait/1');
    await expect.poll(() => statuses(received())).toEqual([200, 101]);
    await expect.poll(received).toContain('got x');
    socket.write(frame, 'latin1');
    await expect.poll(received).toMatch(/got x.*got x/s);
  });

  test('is not opened by a request with a body', async () => {
    const { dial } = await serve();
    const { socket, received } = await dial();
    socket.write(`${get('/socket', `${handshake}Content-Length: 2\r\n`)}{}${get('/text/2')}`);
    await expect.poll(() => statuses(received())).toEqual([404, 200]);
  });
});

test('a server that is closing completes the response in progress and closes the connection', async () => {
  const { app, dial, run, answer } = await serve();
  const { socket, received } = await dial();
  socket.write(get('/wait/1') + get('/text/2'));
  await expect.poll(() => run).toEqual(['/wait/1']);
  const closed = closeServer(app, new AbortController().signal);
  await answer('/wait/1');
  await closed;
  await expect.poll(() => socket.closed).toBe(true);
  expect(statuses(received())[0]).toBe(200);
  expect(bodies(received())[0]).toBe('/wait/1');
});
