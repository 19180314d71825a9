import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { describe, expect, test, vi } from 'vitest';
import { addCompression } from './compression.ts';
import { encode } from './content-coding.ts';

const text = 'word '.repeat(1_000);

function serve(compress?: typeof encode) {
  const app = Fastify({ exposeHeadRoutes: true });
  addCompression(app, compress);
  app.get('/json', () => ({ text }));
  app.get('/json/varying', (_request, reply) => reply.header('vary', 'Cookie').send({ text }));
  app.get('/json/bytes', (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(Buffer.from(JSON.stringify({ text }))),
  );
  app.get('/html', (_request, reply) => reply.type('text/html').send(text));
  app.get('/short', () => ({ text: 'word' }));
  app.get('/text', (_request, reply) => reply.type('text/plain').send(text));
  app.get('/part', (_request, reply) => reply.code(206).send({ text }));
  app.get('/coded', (_request, reply) => reply.header('content-encoding', 'x').send(JSON.stringify({ text })));
  app.get('/as-it-is', { config: { compress: false } }, () => ({ text }));
  return (url: string, accepted = 'gzip, br', method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ url, method, headers: { 'accept-encoding': accepted } });
}

describe('a long response', () => {
  test.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0', undefined, String],
    ['identity', undefined, String],
  ])('is sent to a client that accepts %s in the coding %s', async (accepted, coding, decode) => {
    const get = serve();
    const { headers, rawPayload } = await get('/json', accepted);
    expect([headers['content-encoding'], headers.vary]).toEqual([coding, 'accept-encoding']);
    expect(headers['content-length']).toBe(String(rawPayload.length));
    expect(JSON.parse(String(decode(rawPayload)))).toEqual({ text });
    expect((await get('/json', accepted, 'HEAD')).headers).toMatchObject({
      'content-length': headers['content-length'],
      vary: 'accept-encoding',
    });
    expect((await get('/json/varying', accepted)).headers.vary).toBe('Cookie, accept-encoding');
    for (const url of ['/html', '/json/bytes'])
      expect((await get(url, accepted)).headers['content-encoding']).toBe(coding);
  });

  test.each(['/short', '/text', '/part', '/coded', '/as-it-is'])('is sent as it is at %s', async (url) => {
    const { headers, body } = await serve()(url);
    expect([undefined, 'x']).toContain(headers['content-encoding']);
    expect(headers).not.toHaveProperty('vary');
    expect(body).toContain('word');
  });
});

test('beyond 16 that are compressed at once, responses are sent uncompressed', async () => {
  const coded = Promise.withResolvers<Buffer>();
  const compress = vi.fn(() => coded.promise);
  const get = serve(compress);
  const first = Array.from({ length: 16 }, () => get('/json'));
  await expect.poll(() => compress.mock.calls.length).toBe(16);
  const { headers, body } = await get('/json');
  expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'accept-encoding']);
  expect(JSON.parse(body)).toEqual({ text });
  coded.resolve(Buffer.from('coded'));
  for (const response of await Promise.all(first))
    expect([response.headers['content-encoding'], response.body]).toEqual(['br', 'coded']);
  expect((await get('/json')).headers['content-encoding']).toBe('br');
});

test('a response that cannot be compressed gets status 500, and leaves room for the next one', async () => {
  const compress = vi.fn(encode);
  const get = serve(compress);
  for (let time = 0; time < 20; time += 1) {
    compress.mockRejectedValueOnce(new Error('no memory'));
    expect((await get('/json')).statusCode).toBe(500);
  }
  expect((await get('/json')).headers['content-encoding']).toBe('br');
});
