import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sleep } from '../waiting/sleep.ts';
import { openS3Storage } from './s3-storage.ts';

/** More than the buffers of a connection can hold. */
const SIZE = 16 * 1024 * 1024;
const SILENCE_MS = 50;
const file = Buffer.alloc(SIZE);
const part = { first: 0, last: SIZE - 1, size: SIZE };

/** Returns the same file for every download, as fast as it is read. */
const server = createServer((_request, response) => {
  response.writeHead(206, { 'content-length': SIZE, 'content-range': `bytes 0-${SIZE - 1}/${SIZE}` });
  response.end(file);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('AWS_ENDPOINT_URL_S3', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('allows a reader to pause for longer than the silence timeout of uploads', async () => {
  const storage = openS3Storage({ bucket: 'files', prefix: '' }, SILENCE_MS);
  const stream = await storage.read(randomUUID(), part, AbortSignal.timeout(60_000));
  await sleep(5 * SILENCE_MS);
  expect((await buffer(stream)).length).toBe(SIZE);
  await storage.close();
});

test('lets other readers read while some pause', async () => {
  const storage = openS3Storage({ bucket: 'files', prefix: '' }, SILENCE_MS);
  const signal = AbortSignal.timeout(60_000);
  // More than the client's default maximum of connections.
  const streams = await Promise.all(Array.from({ length: 60 }, () => storage.read(randomUUID(), part, signal)));
  expect(streams).toHaveLength(60);
  for (const stream of streams) stream.destroy();
  await storage.close();
});
