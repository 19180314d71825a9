import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { cacheableDocument, renewedDocument, sendDocument } from './cacheable-document.ts';
import { createServer } from './server.ts';

const text = 'word '.repeat(1_000);

test('a document is compressed once for each coding', async () => {
  const { encoded } = cacheableDocument(text, 'text/html');
  for (const coding of ['br', 'gzip', 'plain'] as const) {
    const [one, other] = await Promise.all([encoded?.(coding), encoded?.(coding)]);
    expect(one).toBeInstanceOf(Buffer);
    expect(one).toBe(other);
  }
  expect(cacheableDocument('short', 'text/html').encoded).toBeUndefined();
});

test.each([
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['identity', undefined],
  ['*', undefined],
  ['br;q=0, gzip', 'gzip'],
])('a document is sent to a client that accepts %s in the coding %s', async (accepted, coding) => {
  const app = await createServer(pino({ level: 'silent' }));
  const document = cacheableDocument(text, 'text/html');
  app.get('/', { config: { compress: false } }, (request, reply) =>
    sendDocument(request, reply, document, { 'x-more': '1' }),
  );
  const { headers, rawPayload } = await app.inject({ url: '/', headers: { 'accept-encoding': accepted } });
  expect(headers).toMatchObject({ vary: 'accept-encoding', 'x-more': '1', etag: document.headers.etag });
  expect(headers['content-encoding']).toBe(coding);
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[String(coding)] ?? String;
  expect(String(decode(rawPayload))).toBe(text);
  expect(headers['content-length']).toBe(String(rawPayload.length));
});

test('a renewed document is made once for all requests of an interval', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  let made = 0;
  const document = renewedDocument(1_000, () => {
    made += 1;
    return cacheableDocument(String(made), 'text/html');
  });
  const madeAt = (time: number) => {
    now.mockReturnValue(time);
    return String(document().body);
  };
  expect([0, 1, 999, 1_000, 1_999, 5_000].map(madeAt)).toEqual(['1', '1', '1', '2', '2', '3']);
  now.mockRestore();
});
