import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { MillraceError } from '../contract/errors.ts';
import { listen } from './listen.ts';
import { closeServer, createBareServer, createServer } from './server.ts';

const log = pino({ level: 'silent' });
const open: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

/** Adds routes: one that fails, one that takes a body, one with a parameter, and one with a long response. */
function withRoutes(app: FastifyInstance): FastifyInstance {
  open.push(app);
  app.get('/broken', () => Promise.reject(new TypeError('the insides')));
  app.get('/other', () => Promise.reject(new MillraceError('other', 'It cannot be done.')));
  app.get('/long', () => ({ text: 'word '.repeat(1_000) }));
  app.get('/long/as-it-is', { config: { compress: false } }, () => ({ text: 'word '.repeat(1_000) }));
  app.get('/named/:name', (request) => request.params);
  app.get('/deep/*', (request) => request.params);
  app.post('/api/x', (request) => request.body);
  app.post('/api/large', { bodyLimit: 1024 * 1024 }, () => 'taken');
  return app;
}

const serve = async () => withRoutes(await createServer(log));

describe('an internal error', () => {
  test('is reported as unexpected_error without internals', async () => {
    const answer = await (await serve()).inject('/broken');
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      error: {
        code: 'unexpected_error',
        message: expect.any(String),
        statusCode: 500,
        retryable: true,
        requestId: expect.any(String),
      },
      metadata: {},
    });
    expect(answer.body).not.toContain('insides');
  });

  test('with a message for callers is reported with that message', async () => {
    const answer = await (await serve()).inject('/other');
    expect([answer.statusCode, answer.json().error]).toMatchObject([
      500,
      { code: 'other', message: 'It cannot be done.' },
    ]);
  });
});

test('a file that fails before its first byte is answered with an error, and with no header of the file', async () => {
  const app = await serve();
  app.get('/file', (_request, reply) => {
    const stream = new PassThrough();
    stream.destroy(new MillraceError('connection_error', 'The source does not respond.'));
    const headers = {
      ...{ 'content-type': 'video/mp4', 'content-length': 10, 'content-range': 'bytes 0-9/10', etag: '"1"' },
      ...{ 'content-disposition': 'attachment', 'accept-ranges': 'bytes', 'cache-control': 'private, max-age=60' },
    };
    return reply
      .code(206)
      .headers({ ...headers, 'content-encoding': 'gzip' })
      .send(stream);
  });
  const response = await fetch(`${await app.listen({ port: 0, host: '127.0.0.1' })}/file`);
  expect([response.status, await response.json()]).toMatchObject([502, { error: { code: 'connection_error' } }]);
  const { etag, ...headers } = Object.fromEntries(response.headers);
  expect(etag).toBeUndefined();
  expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  expect(Object.keys(headers).join(' ')).not.toMatch(/content-(?:range|encoding|disposition)|accept-ranges/);
});

test('faults of the service are logged as errors, and refusals of a node are not', async () => {
  const lines: string[] = [];
  const app = createBareServer(pino({ level: 'error' }, { write: (line) => lines.push(line) }));
  open.push(app);
  const message = 'The database is unreachable.';
  app.get('/draining', () => Promise.reject(new MillraceError('service_unavailable', 'This node is draining.')));
  app.get('/down', () => Promise.reject(new MillraceError('service_unavailable', message, { cause: new Error('x') })));
  for (const url of ['/draining', '/down']) expect((await app.inject(url)).statusCode).toBe(503);
  expect(lines.map((line) => JSON.parse(line).err.message)).toEqual([`${message}: x`]);
});

describe('an unsupported method', () => {
  const doors = [
    ['of callers', async () => withRoutes(await createServer(log)), ', OPTIONS'],
    ['of the operator', async () => withRoutes(createBareServer(log)), ''],
  ] as const;
  describe.each(doors)('at the server %s', (_name, door, always) => {
    test.each([
      ['POST', '/long', 'GET, HEAD'],
      ['DELETE', '/long/as-it-is?a=1', 'GET, HEAD'],
      ['PROPFIND', '/named/a.b', 'GET, HEAD'],
      ['PUT', '/deep/a/b/c', 'GET, HEAD'],
      ['GET', '/api/x', 'POST'],
      ['HEAD', '/api/x', 'POST'],
    ])('%s %s returns 405 with the allowed methods', async (method, url, allow) => {
      const address = await listen(await door(), '127.0.0.1', 0);
      const answer = await fetch(address + url, { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow + always]);
      if (method === 'HEAD') return;
      const { error } = (await answer.json()) as { error: Record<string, unknown> };
      expect(error).toMatchObject({ code: 'method_not_allowed', statusCode: 405, retryable: false });
      expect(error.message).toContain(allow);
    });

    test.each(['/named', '/named/a/b', '/longer', '/api/x/', '/deep'])('%s returns 404', async (url) => {
      const answer = await (await door()).inject({ method: 'PUT', url });
      expect([answer.statusCode, answer.headers.allow]).toEqual([404, undefined]);
    });
  });
});

describe('HEAD', () => {
  /** Headers that belong to the connection, not to the response. */
  const ofConnection = new Set(['connection', 'keep-alive', 'date', 'x-request-id']);

  test.each(['/long', '/long/as-it-is', '/named/a', '/other'])('of %s has the headers of GET', async (url) => {
    const address = await listen(await serve(), '127.0.0.1', 0);
    for (const encoding of ['br', 'gzip', 'identity']) {
      const headers = { 'accept-encoding': encoding };
      const [get, head] = [
        await fetch(address + url, { headers }),
        await fetch(address + url, { headers, method: 'HEAD' }),
      ];
      expect([head.status, await head.text()]).toEqual([get.status, '']);
      const comparableHeaders = [get, head].map(({ headers }) =>
        [...headers].filter(([name]) => !ofConnection.has(name)),
      );
      expect(comparableHeaders[1]).toEqual(comparableHeaders[0]);
    }
  });
});

describe('an invalid request', () => {
  test.each([
    ['an incorrectly encoded path', '/named/%zz', 400],
    ['a name that is too long', `/named/${'a'.repeat(8_300)}`, 414],
    ['a URL that is too long', `/long?${'a'.repeat(8_300)}`, 414],
    ['an unknown path', `/${'a'.repeat(5_000)}`, 404],
  ])('%s is rejected in the envelope with a short message', async (_name, url, status) => {
    const answer = await (await serve()).inject(url);
    expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([status, '*']);
    expect(answer.json()).toMatchObject({ error: { statusCode: status }, metadata: {} });
    expect(answer.json().error.message.length).toBeLessThan(300);
  });

  test('a compressed body is rejected as invalid JSON', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const answer = await (await serve()).inject({ method: 'POST', url: '/api/x', headers, payload: '\u001f\u008b' });
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'invalid_body']);
  });
});

test('a body that exceeds the limit of its route is rejected with a message that states the limit', async () => {
  const app = await serve();
  const payload = JSON.stringify('x'.repeat(1024 * 1024));
  const headers = { 'content-type': 'application/json' };
  for (const [url, limit] of [
    ['/api/x', '256 KiB'],
    ['/api/large', '1024 KiB'],
  ] as const) {
    const { error } = (await app.inject({ method: 'POST', url, headers, payload })).json();
    expect(error).toMatchObject({ code: 'body_too_large', statusCode: 413, message: expect.stringContaining(limit) });
  }
});

test('a client whose body is slightly too large gets the response and can keep the connection', async () => {
  const app = await serve();
  const { port, hostname } = new URL(await listen(app, '127.0.0.1', 0));
  const socket = connect(Number(port), hostname);
  const waitForText = (what: RegExp) =>
    new Promise<void>((resolve, reject) => {
      let text = '';
      socket.on('data', (bytes) => {
        text += bytes;
        if (what.test(text)) resolve();
      });
      socket.once('close', () => reject(new Error(`closed after: ${text}`)));
    });
  const refusal = waitForText(/^HTTP\/1\.1 413 /);
  socket.write('POST /api/x HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 300000\r\n\r\n');
  socket.write('x'.repeat(100_000));
  await refusal;
  const next = waitForText(/HTTP\/1\.1 200 /);
  socket.write(`${'x'.repeat(200_000)}GET /long HTTP/1.1\r\nhost: x\r\n\r\n`);
  await next;
  socket.destroy();
});

test('routes can turn off compression', async () => {
  const app = await serve();
  const headers = { 'accept-encoding': 'br' };
  expect((await app.inject({ url: '/long', headers })).headers['content-encoding']).toBe('br');
  expect((await app.inject({ url: '/long/as-it-is', headers })).headers).not.toHaveProperty('content-encoding');
});

test('pages of other sites cannot read responses of the bare server', async () => {
  const app = createBareServer(log);
  open.push(app);
  for (const url of ['/nothing', '/%zz']) {
    const answer = await app.inject({ url, headers: { origin: 'https://page.example' } });
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  }
});

describe('a server that is closing', () => {
  /** Starts a server with a WebSocket and a route whose response the test controls. */
  async function listening() {
    const app = await createServer(log);
    open.push(app);
    const answer = Promise.withResolvers<string>();
    const arrival = Promise.withResolvers<void>();
    app.get('/slow', () => {
      arrival.resolve();
      return answer.promise;
    });
    app.get('/socket', { websocket: true }, () => undefined);
    return { app, url: await listen(app, '127.0.0.1', 0), answer, requestArrived: arrival.promise };
  }

  test('completes running requests and accepts no new connections', async () => {
    const { app, url, answer, requestArrived } = await listening();
    const call = fetch(`${url}/slow`);
    await requestArrived;
    const closed = closeServer(app, new AbortController().signal);
    await expect.poll(() => fetch(`${url}/slow`).catch(() => 'refused')).toBe('refused');
    answer.resolve('here');
    expect(await (await call).text()).toBe('here');
    await closed;
  });

  test('cuts running requests and unresponsive WebSockets at its deadline', async () => {
    const { app, url, requestArrived } = await listening();
    const call = fetch(`${url}/slow`).catch(() => 'cut');
    await requestArrived;
    const mute = connect(Number(new URL(url).port), '127.0.0.1');
    mute.write(
      'GET /socket HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
    await once(mute, 'data');
    const deadline = new AbortController();
    const closed = closeServer(app, deadline.signal);
    // The close frame has the code 1001. This client does not respond to it.
    const [frame] = (await once(mute, 'data')) as [Buffer];
    expect(frame.subarray(0, 4).readUInt16BE(2)).toBe(1001);
    const muteClosed = once(mute, 'close');
    deadline.abort();
    await closed;
    await muteClosed;
    expect(await call).toBe('cut');
  });
});
