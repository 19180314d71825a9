import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServer } from '../server.ts';

let app: FastifyInstance;
let port = 0;

beforeAll(async () => {
  app = await createServer(pino({ level: 'silent' }));
  app.get('/text/:length', ({ params }) => 'x'.repeat(Number((params as { length: string }).length)));
  app.get('/later/:turns', async ({ params }) => {
    for (let left = Number((params as { turns: string }).turns); left > 0; left -= 1)
      await new Promise((resolve) => setImmediate(resolve));
    return params;
  });
  app.post('/body', ({ body }) => body);
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
});
afterAll(() => app.close());

/** Sends bytes in parts, and returns all that the server sent, without what differs between two equal requests. */
async function exchange(parts: readonly Buffer[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const closed = once(socket, 'close');
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
  });
  // The server may close the connection while the rest is still being sent.
  socket.on('error', () => undefined);
  for (const part of parts) {
    socket.write(part);
    await new Promise((sent) => setImmediate(sent));
  }
  await closed;
  return text.replaceAll(/^(?:date|x-request-id): .*\r\n|(?<="requestId":")[\w-]+/gim, '');
}

const withoutConnection = (text: string) => text.replaceAll(/^(?:connection|keep-alive): .*\r\n/gim, '');

const chunk = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom('a', '0', '\r\n', 'GET / HTTP/1.1') });
const inChunks = (chunks: readonly string[], trailer: string) =>
  `${chunks.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join('')}0\r\n${trailer}\r\n`;
const json = (lines: string) => `Content-Type: application/json\r\n${lines}`;

/** The lines of a request after the method, except the end of its head, and its body. */
const request = fc.oneof(
  fc.record({
    method: fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'DELETE'),
    target: fc.oneof(
      fc.nat(3_000).map((length) => `/text/${length}`),
      fc.nat(3).map((turns) => `/later/${turns}`),
      fc.constant('/none'),
    ),
    headers: fc.constantFrom('', 'Accept-Encoding: br\r\n', 'Upgrade: h2c\r\nConnection: Upgrade\r\n', 'X-A: \r\n'),
    body: fc.constant(''),
  }),
  fc.string({ maxLength: 40 }).map((text) => {
    const body = JSON.stringify(text.replaceAll(/[^ -~]/g, '\r\n\r\n'));
    const headers = json(`Content-Length: ${Buffer.byteLength(body)}\r\nExpect: something\r\n`);
    return { method: 'POST', target: '/body', headers, body };
  }),
  fc.tuple(fc.array(chunk, { maxLength: 6 }), fc.constantFrom('', 'A: b\r\n')).map(([chunks, trailer]) => ({
    method: 'POST',
    target: '/body',
    headers: json('Transfer-Encoding: chunked\r\n'),
    body: inChunks(chunks, trailer),
  })),
);
type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

const bytesOf = ({ method, target, headers, body }: Request, connection: string) =>
  Buffer.from(`${method} ${target} HTTP/1.1\r\nHost: a\r\n${headers}${connection}\r\n${body}`, 'latin1');

/** Cuts bytes at positions that are given as fractions. */
function cut(bytes: Buffer, fractions: readonly number[]): Buffer[] {
  const positions = [...new Set([0, ...fractions.map((part) => Math.floor(part * bytes.length)), bytes.length])];
  positions.sort((a, b) => a - b);
  return positions.slice(1).map((end, index) => bytes.subarray(positions[index], end));
}

test('any pipelined requests, cut anywhere, get the same responses as one by one, or an announced close', async () => {
  const alone = new Map<string, Promise<string>>();
  const responseTo = (one: Request) => {
    const bytes = bytesOf(one, 'Connection: close\r\n');
    const key = bytes.toString('latin1');
    const response = alone.get(key) ?? exchange([bytes]).then(withoutConnection);
    alone.set(key, response);
    return response;
  };
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 12 }), cuts, async (requests, fractions) => {
      const expected = await Promise.all(requests.map(responseTo));
      const last = requests.length - 1;
      const bytes = requests.map((one, index) => bytesOf(one, index === last ? 'Connection: close\r\n' : ''));
      const received = await exchange(cut(Buffer.concat(bytes), fractions));
      // The server may close the connection after a response, if that response announces it.
      const closing = received.split(/HTTP\/1\.1 \d/g).findIndex((one) => /^connection: close\r/im.test(one));
      expect(withoutConnection(received)).toBe(expected.slice(0, closing).join(''));
    }),
  );
});
