import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '../client.ts';
import { MillraceNetworkError } from '../errors.ts';

const statuses = [301, 302, 303, 307, 308] as const;
const secret = 'secret-of-the-caller';

/** The service, and another server. Both answer from a script. */
let [service, other]: [Server, Server] = [createServer(), createServer()];
/** What both received: `service GET /path secret`. */
let received: string[];
let answer: (name: string, request: IncomingMessage) => { status: number; location?: string; body?: string };
let urls: { service: string; other: string };

async function start(name: string): Promise<Server> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const hasSecret = JSON.stringify([request.url, request.headers, body]).includes(secret);
      received.push(
        `${name} ${request.method} ${request.url} ${hasSecret ? 'secret' : 'public'}${body ? ' body' : ''}`,
      );
      const { status, location, body: text = '{"error":null,"metadata":{}}' } = answer(name, request);
      response.writeHead(status, location === undefined ? {} : { location }).end(text);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  [service, other] = [await start('service'), await start('other')];
  urls = { service: `http://127.0.0.1:${portOf(service)}`, other: `http://127.0.0.1:${portOf(other)}` };
});
afterAll(() => {
  for (const server of [service, other]) server.close().closeAllConnections();
});
beforeEach(() => {
  received = [];
});

const connect = () => createClient({ url: urls.service, key: secret, renderKey: secret, retries: 0 });
type Connected = ReturnType<typeof connect>;

/** Every kind of call that sends a key or a body, or changes something. */
const calls: readonly (readonly [name: string, method: string, call: (client: Connected) => Promise<unknown>])[] = [
  ['an extraction', 'GET', (client) => client.extract('p1', 'video/details', { videoId: 'a' })],
  ['usage', 'GET', (client) => client.usage()],
  ['a list of jobs', 'GET', (client) => client.renders.list()],
  [
    'the start of a job',
    'POST',
    (client) =>
      client.renders.start({
        inputs: [{ url: 'https://cdn.example/a.mp4', ext: 'mp4' }],
        output: { ext: 'mp4' },
        operation: { type: 'no_process' },
      }),
  ],
  [
    'a cancellation',
    'DELETE',
    (client) => client.renders.cancel(`${urls.service}/api/v1/render/execute?order=${secret}`),
  ],
];

/** Every way in which a redirect leads to another origin, and the place that the error names. */
const elsewhere: readonly (readonly [name: string, location: () => string, place: () => string])[] = [
  ['another port', () => `${urls.other}/there`, () => urls.other],
  ['another host', () => `http://localhost:${portOf(service)}/there`, () => `http://localhost:${portOf(service)}`],
  ['another scheme', () => `https://127.0.0.1:${portOf(service)}/`, () => `https://127.0.0.1:${portOf(service)}`],
  ['a host without a scheme', () => `//127.0.0.1:${portOf(other)}/there`, () => urls.other],
  ['backslashes', () => `\\\\127.0.0.1:${portOf(other)}\\there`, () => urls.other],
  ['a user name', () => urls.service.replace('//', '//user:password@'), () => 'an address with a user name'],
  ['a file', () => 'file:///etc/passwd', () => 'a file: address'],
  ['a script', () => 'javascript:alert(1)', () => 'a javascript: address'],
  ['data', () => 'data:application/json,{}', () => 'a data: address'],
  ['nothing', () => 'http://[', () => 'an invalid address'],
];

describe.each(calls)('%s', (_call, method, call) => {
  test.each(statuses.flatMap((status) => elsewhere.map((place) => [status, ...place] as const)))(
    'is not repeated after a %i to %s',
    async (status, _name, location, place) => {
      answer = () => ({ status, location: location() });
      const error = await call(connect()).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(MillraceNetworkError);
      expect(error).toMatchObject({ fault: 'redirected', retryable: false });
      expect(String(error)).toContain(`${urls.service} redirects to ${place()}, where`);
      expect(received).toHaveLength(1);
    },
  );

  test.each(statuses)('is not repeated elsewhere at the end of a chain of %i, or on a detour', async (status) => {
    answer = (name, { url }) =>
      name === 'service' && url !== '/second'
        ? { status, location: '/second' }
        : { status, location: name === 'service' ? `${urls.other}/third` : `${urls.service}/back` };
    await expect(call(connect())).rejects.toMatchObject({ fault: 'redirected' });
    expect(received).toEqual([
      expect.stringMatching(/^service .* secret/),
      // Only the address of a cancellation is secret.
      expect.stringMatching(method === 'DELETE' ? /^service \w+ \/second public$/ : /^service \w+ \/second secret/),
    ]);
  });

  test('ends after a few redirects within the origin', async () => {
    answer = () => ({ status: 307, location: '/again' });
    await expect(call(connect())).rejects.toThrow('redirects more than 5 times');
    expect(received).toHaveLength(6);
  });
});

describe.each(statuses)('a %i within the origin', (status) => {
  test('is followed with the key', async () => {
    answer = (_name, { url = '' }) => (url.includes('moved') ? { status: 200 } : { status, location: 'moved?a=1' });
    await connect().usage();
    expect(received).toEqual(['service GET /api/v1/usage secret', 'service GET /api/v1/moved?a=1 secret']);
  });

  test('repeats a POST as the Fetch standard says', async () => {
    answer = (_name, { url = '' }) =>
      url.startsWith('/moved') ? { status: 200, body: '{"jobId":"a"}' } : { status, location: '/moved' };
    await calls[3]?.[2](connect()).catch(() => undefined);
    expect(received[1]).toBe(
      status === 307 || status === 308 ? 'service POST /moved secret body' : 'service GET /moved secret',
    );
  });
});

test.each(statuses)('a download follows a %i to the store, which receives no key', async (status) => {
  answer = (name) => (name === 'service' ? { status, location: `${urls.other}/object` } : { status: 200, body: 'abc' });
  const stream = connect().renders.download({ url: `${urls.service}/file`, size: 3 });
  expect(await new Response(stream).text()).toBe('abc');
  expect(received).toEqual(['service GET /file public', 'other GET /object public']);
});

test('a redirect without a target is an answer like any other', async () => {
  answer = () => ({ status: 302 });
  await expect(connect().usage()).rejects.toMatchObject({ statusCode: 302 });
});

test('a redirect that a browser hides is an error', async () => {
  const hidden = Object.defineProperties(Response.error(), { type: { value: 'opaqueredirect' } });
  const client = createClient({ url: urls.service, key: secret, fetch: async () => hidden });
  await expect(client.usage()).rejects.toThrow('redirects to another address, where keys');
});
