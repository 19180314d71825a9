import { request } from 'node:http';
import { connect } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendJson, sendText } from './exchange.ts';
import { handleHosts } from './hosts.ts';
import { createJournal } from './journal.ts';
import { type LabServer, listen } from './server.ts';

const journal = createJournal(3);
let server: LabServer;

beforeAll(async () => {
  const handle = handleHosts([
    { name: '*.site.example', handle: (exchange) => sendText(exchange, 200, 'pattern') },
    {
      name: 'www.site.example',
      handle: (exchange) => {
        const { host, country, url, body } = exchange;
        if (url.pathname === '/fail') throw new Error('Out of paper.');
        sendJson(exchange, 200, { host, country, url: url.href, body: body.toString() });
      },
    },
  ]);
  server = await listen(0, journal, handle);
});
afterAll(() => server.close());

interface Call {
  readonly host?: string;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function call({ host = 'www.site.example', path = '/', method = 'GET', headers = {}, body }: Call) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; text: string }>();
  request(
    { host: '127.0.0.1', port: server.port, path, method, headers: { host, ...headers }, agent: false },
    async (response) => resolve({ status: response.statusCode, text: await text(response) }),
  )
    .once('error', reject)
    .end(body);
  return promise;
}

const proxyUser = (name: string) => `Basic ${Buffer.from(`${name}:any`).toString('base64')}`;

describe('hosts', () => {
  test('prefer an exact name over a pattern, and ignore the port', async () => {
    expect((await call({ host: 'WWW.site.example:443', path: '/a?b=c' })).text).toBe(
      '{"host":"www.site.example","country":"US","url":"https://www.site.example/a?b=c","body":""}',
    );
    expect((await call({ host: 'cdn.site.example' })).text).toBe('pattern');
    expect((await call({ host: 'other.example' })).status).toBe(502);
  });

  test('keep parentheses, and treat two leading slashes as a path', async () => {
    expect((await call({ path: '/sec2(a-b)/x' })).text).toContain('https://www.site.example/sec2(a-b)/x');
    expect((await call({ path: '//evil.example/x' })).text).toContain('https://www.site.example//evil.example/x');
  });

  test('respond with 500 and the reason when a handler fails', async () => {
    expect(await call({ path: '/fail' })).toEqual({ status: 500, text: 'The lab failed: Out of paper.\n' });
  });

  test('receive the body of a request, but reject a body above the limit', async () => {
    expect((await call({ method: 'POST', body: 'hello' })).text).toContain('"body":"hello"');
    expect((await call({ method: 'POST', body: 'x'.repeat((1 << 20) + 1) })).status).toBe(413);
  });
});

describe('lab as a proxy', () => {
  const headers = { 'proxy-authorization': proxyUser('fr') };

  test('handles a request for an absolute address as its host would, for a visitor from the country in the proxy credentials', async () => {
    const { text: response } = await call({ host: '127.0.0.1', path: 'http://www.site.example/x', headers });
    expect(response).toContain('"host":"www.site.example","country":"FR"');
  });

  test.each([
    ['with a user', [5, 1, 2], [1, 2, 102, 114, 3, 97, 110, 121], [5, 2, 1, 0], 'FR'],
    ['without one', [5, 1, 0], [], [5, 0], 'US'],
  ])(
    'handles a SOCKS client %s as if it were connected to its target',
    async (_name, greeting, user, answered, country) => {
      const socket = connect(server.port, '127.0.0.1');
      // The handshake and the request are sent in one write, so that the request is already in the socket.
      const target = [5, 1, 0, 3, 1, 97, 0, 80];
      const query = 'GET /x HTTP/1.1\r\nhost: www.site.example\r\nconnection: close\r\n\r\n';
      socket.write(Buffer.concat([Buffer.from([...greeting, ...user, ...target]), Buffer.from(query)]));
      const bytes = await buffer(socket);
      const reply = [5, 0, 0, 1, 0, 0, 0, 0, 0, 0];
      expect([...bytes.subarray(0, answered.length + 10)]).toEqual([...answered, ...reply]);
      expect(bytes.toString()).toContain(`"host":"www.site.example","country":"${country}"`);
    },
  );

  test('closes the connection of a SOCKS client that disconnects or violates the protocol', async () => {
    for (const bytes of [[5], [5, 1, 0, 5, 1, 0, 9, 0, 0, 0]]) {
      const socket = connect(server.port, '127.0.0.1');
      socket.end(Buffer.from(bytes));
      expect((await buffer(socket)).length).toBeLessThan(3);
    }
  });

  test('connects a tunnel to the lab itself', async () => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const clientRequest = request({
      host: '127.0.0.1',
      port: server.port,
      method: 'CONNECT',
      path: 'any.example:80',
      headers,
    });
    clientRequest.once('error', reject);
    clientRequest.once('connect', (_, socket) => {
      const inner = request(
        { createConnection: () => socket, path: '/x', headers: { host: 'www.site.example' } },
        async (response) => resolve(await text(response)),
      );
      inner.once('error', reject).end();
    });
    clientRequest.end();
    expect(await promise).toContain('"host":"www.site.example","country":"FR"');
  });
});

test('the journal removes its oldest entries', async () => {
  for (const path of ['/1?token=t', '/2?token=t', '/3?token=t', '/4?token=t']) await call({ path });
  expect(journal.find({ token: 't' }).map(({ path }) => path)).toEqual(['/2?token=t', '/3?token=t', '/4?token=t']);
  expect(journal.find({ path: '/3' })).toHaveLength(1);
  expect(journal.find({ host: 'nobody.example' })).toEqual([]);
});
