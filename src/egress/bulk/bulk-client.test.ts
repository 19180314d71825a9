import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { buildConnector } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import type { BodySink } from '../egress.ts';
import { certificate } from '../testing/certificate.ts';
import { type BulkClient, createBulkClient, isBulkHeader } from './bulk-client.ts';
import { sharedReadBuffer } from './bulk-connection.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const resource of open.splice(0)) await resource.close();
});

/** Serves what `answer` writes for the nth request, and counts connections. */
async function serve(answer: (socket: Socket, nth: number, head: string) => void, secure = false) {
  const sockets: Socket[] = [];
  let requests = 0;
  const onSocket = (socket: Socket) => {
    sockets.push(socket);
    let head = '';
    socket
      .on('error', () => undefined)
      .on('data', (bytes: Buffer) => {
        head += bytes.toString('latin1');
        if (!head.endsWith('\r\n\r\n')) return;
        requests += 1;
        answer(socket, requests, head);
        head = '';
      });
  };
  const server: Server = secure ? createSecureServer(certificate, onSocket) : createServer(onSocket);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  open.push({
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`${secure ? 'https' : 'http'}://localhost:${port}/a?b=c`), sockets };
}

function client(maxPerOrigin = 8): BulkClient {
  const connect = buildConnector({ allowH2: false, ca: certificate.cert, onread: sharedReadBuffer, host: '127.0.0.1' });
  const bulkClient = createBulkClient(connect, maxPerOrigin);
  open.push(bulkClient);
  return bulkClient;
}

const request = (url: URL, more = {}) => ({
  url,
  headers: {},
  signal: new AbortController().signal,
  headTimeout: 60_000,
  idleTimeout: 60_000,
  ...more,
});

/** A sink that copies its chunks; `wait` supplies the result of each write. */
function collect(wait: () => ReturnType<BodySink['write']> = () => undefined) {
  const pieces: Buffer[] = [];
  const sink: BodySink = {
    write(chunk) {
      pieces.push(Buffer.from(chunk));
      return wait();
    },
  };
  return { sink, text: () => Buffer.concat(pieces).toString('latin1') };
}

async function get(from: BulkClient, url: URL, more = {}): Promise<string> {
  const { sink, text } = collect();
  await from.send(request(url, more), () => sink);
  return text();
}

const length = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

test('the bulk client sends a request unchanged and reuses its connection for the next one', async () => {
  let head = '';
  const { url, sockets } = await serve((socket, nth, text) => {
    head = text;
    socket.write(length(`answer ${nth}`));
  });
  const bulkClient = client();
  expect(await get(bulkClient, url, { headers: { range: 'bytes=0-1', accept: '*/*' } })).toBe('answer 1');
  expect(head).toBe(
    `GET /a?b=c HTTP/1.1\r\nhost: ${url.host}\r\nconnection: keep-alive\r\nrange: bytes=0-1\r\naccept: */*\r\n\r\n`,
  );
  expect(await get(bulkClient, url)).toBe('answer 2');
  expect(sockets).toHaveLength(1);
});

test.each([
  ['that the server closes', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok'],
  ['with too short a keep-alive timeout', 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 2\r\n\r\nok'],
  [
    'with extra data after the response',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother',
  ],
])('the bulk client does not reuse a connection %s', async (_what, answer) => {
  const { url, sockets } = await serve((socket) => socket.write(answer));
  const bulkClient = client();
  expect(await get(bulkClient, url)).toBe('ok');
  expect(await get(bulkClient, url)).toBe('ok');
  expect(sockets).toHaveLength(2);
});

describe.each([
  ['plain', false],
  ['TLS', true],
])('a %s connection', (_name, secure) => {
  test('applies backpressure while the sink waits, and delivers every byte in order', async () => {
    const body = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => (at * 7 + (at >> 8)) & 255)).toString(
      'latin1',
    );
    const { url, sockets } = await serve((socket) => socket.write(length(body), 'latin1'), secure);
    let writing = 0;
    const { sink, text } = collect(async () => {
      writing += 1;
      expect(writing).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      writing -= 1;
      return undefined;
    });
    expect(await client().send(request(url), () => sink)).toMatchObject({ status: 200, url: url.href });
    expect(text() === body).toBe(true);
    expect(sockets).toHaveLength(1);
  });
});

test('a response is complete only when its last write has settled', async () => {
  const { url } = await serve((socket) => socket.write(length('ok')));
  const last = Promise.withResolvers<undefined>();
  const { sink } = collect(() => last.promise);
  let over = false;
  const response = client()
    .send(request(url), () => sink)
    .finally(() => {
      over = true;
    });
  await new Promise((resolve) => setImmediate(resolve));
  expect(over).toBe(false);
  last.resolve(undefined);
  await response;
});

test('the bulk client rethrows errors of the sink and of the head callback unchanged, and closes the connection', async () => {
  const { url, sockets } = await serve((socket) => socket.write(length('ok')));
  const own = new Error('own');
  const fail = () => {
    throw own;
  };
  await expect(client().send(request(url), fail)).rejects.toBe(own);
  await expect(client().send(request(url), () => ({ write: fail }))).rejects.toBe(own);
  await expect(client().send(request(url), () => ({ write: () => Promise.reject(own) }))).rejects.toBe(own);
  await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true);
});

test('the bulk client stops reading when there is no sink or the sink ends the body', async () => {
  const { url, sockets } = await serve((socket) => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegin`));
  const bulkClient = client();
  expect(await bulkClient.send(request(url), () => undefined)).toMatchObject({ status: 200 });
  expect(await bulkClient.send(request(url), () => ({ write: () => false }))).toMatchObject({ status: 200 });
  await expect.poll(() => sockets.map(({ destroyed }) => destroyed)).toEqual([true, true]);
});

test.each([
  ['closes before its response head', (socket: Socket) => socket.end()],
  ['closes within the response body', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok')],
  ['resets', (socket: Socket) => socket.resetAndDestroy()],
  ['does not speak HTTP', (socket: Socket) => socket.write('SSH-2.0\r\n\r\n')],
])('the bulk client reports a server that %s as a connection error that names only the host', async (_what, answer) => {
  const { url } = await serve(answer);
  const response = get(client(), url);
  await expect(response).rejects.toMatchObject({ code: 'connection_error' });
  await expect(response).rejects.toThrow(`The connection to ${url.host} failed`);
});

test.each([
  ['head', ''],
  ['body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok'],
])('the bulk client times out when the server sends no %s', async (_where, text) => {
  const { url } = await serve((socket) => socket.write(text));
  const response = get(client(), url, { headTimeout: 50, idleTimeout: 50 });
  await expect(response).rejects.toMatchObject({ code: 'operation_timeout' });
});

test('aborted signals end both a running exchange and one that waits for a connection', async () => {
  const { url, sockets } = await serve((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok'));
  const bulkClient = client(1);
  const [first, second] = [new AbortController(), new AbortController()];
  const firstChunk = Promise.withResolvers<undefined>();
  const one = bulkClient.send(request(url, { signal: first.signal }), () => {
    firstChunk.resolve(undefined);
    return { write: () => undefined };
  });
  await firstChunk.promise;
  const other = bulkClient.send(request(url, { signal: second.signal }), () => undefined);
  const third = bulkClient.send(request(url), () => undefined);
  second.abort(new Error('second'));
  await expect(other).rejects.toThrow('second');
  first.abort(new Error('first'));
  await expect(one).rejects.toThrow('first');
  expect(await third).toMatchObject({ status: 200 });
  expect(sockets).toHaveLength(2);
});

test('an exchange ends whenever its signal is aborted', async () => {
  const { url } = await serve((socket, _nth, head) => {
    if (head.startsWith('GET /answered')) socket.write(length('ok'));
  });
  const bulkClient = client();
  for (let turns = 0; turns < 20; turns += 1) {
    // From the second iteration on, there is an idle connection.
    await get(bulkClient, new URL('/answered', url));
    const abort = new AbortController();
    const response = bulkClient.send(request(url, { signal: abort.signal }), () => undefined);
    for (let turn = 0; turn < turns; turn += 1) await undefined;
    abort.abort(new Error('aborted'));
    await expect(response).rejects.toThrow('aborted');
  }
});

test('a closed bulk client ends running exchanges and starts no new ones', async () => {
  const { url } = await serve((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok'));
  const bulkClient = client();
  const firstChunk = Promise.withResolvers<undefined>();
  const response = bulkClient.send(request(url), () => {
    firstChunk.resolve(undefined);
    return { write: () => undefined };
  });
  await firstChunk.promise;
  bulkClient.close();
  await expect(response).rejects.toMatchObject({ code: 'connection_error' });
  await expect(get(bulkClient, url)).rejects.toMatchObject({ code: 'connection_error' });
});

test.each([
  ['range', 'bytes=0-1', true],
  ['x-token', 'a b', true],
  ['host', 'a.example', false],
  ['connection', 'close', false],
  ['x-a', 'a\r\nb: c', false],
  ['x a', 'b', false],
  ['x-a', '☃', false],
])('for the header %s: %s, isBulkHeader returns %s', (name, value, expected) => {
  expect(isBulkHeader(name, value)).toBe(expected);
});
