import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import type { Sql } from '../database/database.ts';
import { createSealer } from '../sealing.ts';
import type { Storage } from '../storage/storage.ts';
import { addFileRoutes } from './routes-files.ts';

const sealer = createSealer(['a secret for these tests']);
const key = '0190a1b2-0000-4000-8000-000000000000';
const path = `/files/${sealer.seal('file-link', { key })}/film.mp4`;
const bytes = Buffer.from('0123456789');

let app: FastifyInstance;
afterEach(() => app.close());

/** Serves one file from a store that hands out links, or has lost it. */
function serve({ redirect = false, lost = false } = {}): void {
  const expiresAt = new Date(Date.now() + 60_000);
  const sql = {
    query: async () => [{ file_name: 'film.mp4', file_size: bytes.length, expires_at: expiresAt }],
  } as unknown as Sql;
  const storage: Partial<Storage> = {
    read: async (_key, { first, last }) => (lost ? undefined : Readable.from([bytes.subarray(first, last + 1)])),
    link: async (_key, method, { name }) => `https://store.example/${name}?for=${method}`,
  };
  app = Fastify();
  // The other parts of a storage are not asked.
  addFileRoutes(app, { sql, storage: storage as Storage, sealer, redirect });
}

test('a part of a file comes from the store through the service', async () => {
  serve();
  const answer = await app.inject({ url: path, headers: { range: 'bytes=-4' } });
  expect([answer.statusCode, answer.payload]).toEqual([206, '6789']);
  expect(answer.headers).toMatchObject({
    'content-range': 'bytes 6-9/10',
    'content-length': '4',
    'content-type': 'video/mp4',
    etag: `"${key}"`,
  });
});

test('HEAD tells all and opens nothing', async () => {
  serve({ lost: true });
  const answer = await app.inject({ method: 'HEAD', url: path, headers: { range: 'bytes=0-1' } });
  expect([answer.statusCode, answer.headers['content-length'], answer.payload]).toEqual([200, '10', '']);
});

test('a file that somebody took away is told as an error, not as an empty file', async () => {
  serve({ lost: true });
  const answer = await app.inject({ url: path });
  expect(answer.statusCode).toBe(500);
  expect(answer.payload).toContain('missing from the storage');
  expect(answer.headers).not.toHaveProperty('content-disposition');
});

test.each(['GET', 'HEAD'] as const)(
  '%s is sent on to a fresh link of the store where that is wanted',
  async (method) => {
    serve({ redirect: true });
    const answer = await app.inject({ method, url: path });
    expect([answer.statusCode, answer.headers.location]).toEqual([302, `https://store.example/film.mp4?for=${method}`]);
    expect(answer.headers['cache-control']).toBe('private, no-store');
  },
);

test('a caller who leaves ends the reading', async () => {
  const endless = new Readable({ read: () => undefined });
  endless.push('0');
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  endless.once('close', resolve);
  app = Fastify({ forceCloseConnections: true });
  const row = { file_name: 'film.mp4', file_size: 10, expires_at: new Date(Date.now() + 60_000) };
  const storage: Partial<Storage> = { read: async () => endless };
  addFileRoutes(app, {
    sql: { query: async () => [row] } as unknown as Sql,
    storage: storage as Storage,
    sealer,
    redirect: false,
  });
  const answer = await fetch((await app.listen({ port: 0, host: '127.0.0.1' })) + path);
  await answer.body?.cancel();
  await ended;
});
