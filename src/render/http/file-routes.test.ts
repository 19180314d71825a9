import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { type BlockIndex, noBlocks } from '../../blocks/block-index.ts';
import { blocking } from '../../blocks/testing/test-blocks.ts';
import type { MillraceError } from '../../contract/errors.ts';
import { createSealers } from '../../sealing/sealers.ts';
import { missingFile } from '../../storage/lost-file-error.ts';
import type { Storage } from '../../storage/storage.ts';
import type { ResultFile, ResultFiles } from '../jobs/result-files.ts';
import { addFileRoutes } from './file-routes.ts';

const sealers = createSealers(['a secret for these tests']);
const sealer = sealers.live;
const key = '0190a1b2-0000-4000-8000-000000000000';
const path = `/files/${sealer.seal('file-link', { key })}/film.mp4`;
const bytes = Buffer.from('0123456789');

let app: FastifyInstance;
afterEach(() => app.close());

/** Serves one file from a store that creates links, or has lost the file. */
function serve({
  redirect = false,
  lost = false,
  away = false,
  sha256 = null as string | null,
  receipt = undefined as string | undefined,
  name = 'film.mp4',
} = {}): void {
  const storage: Partial<Storage> = {
    async read(_key, { first, last }) {
      if (lost) throw missingFile(key);
      return Readable.from([bytes.subarray(first, last + 1)]);
    },
    async check() {
      if (away) throw new Error('the store is not mounted');
    },
    storedAt: async () => undefined,
    link: async (_key, method, { name }) => `https://store.example/${name}?for=${method}`,
  };
  serveFrom(storage, sha256, redirect, { receipt, name });
}

interface FileOptions {
  readonly receipt?: string | undefined;
  readonly name?: string;
  readonly blocks?: BlockIndex;
}

/** Serves the file from a storage of which only these methods are used. */
function serveFrom(
  storage: Partial<Storage>,
  sha256: string | null = null,
  redirect = false,
  { receipt, name = 'film.mp4', blocks = noBlocks }: FileOptions = {},
): void {
  const row = { file_name: name, file_size: bytes.length, expires_at: new Date(Date.now() + 60_000) };
  let file: ResultFile = { ...row, file_sha256: sha256, error_code: null, state: 'done', subjects: ['p1/item/one'] };
  const files: ResultFiles = {
    find: async () => file,
    findReceipt: async () => receipt,
    async failLostFiles() {
      file = { ...file, state: 'failed', error_code: 'file_lost' };
      return 1;
    },
  };
  app = Fastify({ forceCloseConnections: true });
  const metrics = { filesLost: () => undefined };
  addFileRoutes(app, { files, storage: storage as Storage, sealers, metrics, redirect, blocks });
  app.setErrorHandler((error: MillraceError, _request, reply) =>
    reply.code(error.status).send({ code: error.code, retryable: error.retryable }),
  );
}

test('sends neither a file nor its receipt after its item was blocked', async () => {
  serveFrom({}, null, false, { receipt: '{}', blocks: blocking('item', 'p1', 'one') });
  for (const address of [path, `${path}.receipt`]) {
    const { statusCode, body } = await app.inject(address);
    expect([statusCode, body]).toEqual([451, '{"code":"blocked","retryable":false}']);
  }
});

test('streams a range of a file from the store', async () => {
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

test('sends all headers and no body for HEAD', async () => {
  serve();
  const answer = await app.inject({ method: 'HEAD', url: path, headers: { range: 'bytes=0-1' } });
  expect([answer.statusCode, answer.headers['content-length'], answer.payload]).toEqual([200, '10', '']);
});

test.each([
  ['GET', { code: 'file_lost', retryable: false }],
  ['HEAD', undefined],
] as const)('reports a missing file as lost each time, and sends no empty file (%s)', async (method, error) => {
  serve({ lost: true });
  for (const _time of [1, 2]) {
    const answer = await app.inject({ method, url: path });
    expect(answer.statusCode).toBe(410);
    if (error !== undefined) expect(answer.json()).toEqual(error);
    expect(answer.headers).not.toHaveProperty('content-disposition');
  }
});

test('does not report a file as lost while the store is unavailable', async () => {
  serve({ lost: true, away: true });
  const answer = await app.inject({ url: path });
  expect([answer.statusCode, answer.json()]).toEqual([503, { code: 'service_unavailable', retryable: true }]);
});

test.each([
  ['GET', {}, 200],
  ['GET', { range: 'bytes=0-1' }, 206],
  ['HEAD', {}, 200],
] as const)('sends the hash of the whole file (%s %o)', async (method, headers, status) => {
  serve({ sha256: 'Zm9v' });
  const answer = await app.inject({ method, url: path, headers });
  expect([answer.statusCode, answer.headers['repr-digest']]).toEqual([status, 'sha-256=:Zm9v:']);
});

test('sends no hash before it is known', async () => {
  serve();
  expect((await app.inject({ url: path })).headers).not.toHaveProperty('repr-digest');
});

test('closes the connection immediately if the store sends too few bytes', async () => {
  const source = new Readable({ read: () => undefined });
  source.push(bytes.subarray(0, 4));
  serveFrom({ read: async () => source });
  const answer = await fetch((await app.listen({ port: 0, host: '127.0.0.1' })) + path);
  expect(answer.headers.get('content-length')).toBe('10');
  source.push(null);
  await expect(answer.arrayBuffer()).rejects.toThrow();
});

test.each(['GET', 'HEAD'] as const)('redirects %s to a fresh store link if enabled', async (method) => {
  serve({ redirect: true });
  const answer = await app.inject({ method, url: path });
  expect([answer.statusCode, answer.headers.location]).toEqual([302, `https://store.example/film.mp4?for=${method}`]);
  expect(answer.headers['cache-control']).toBe('private, no-store');
});

test('stops reading when the caller disconnects', async () => {
  const endless = new Readable({ read: () => undefined });
  endless.push('0');
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  endless.once('close', resolve);
  serveFrom({ read: async () => endless });
  const answer = await fetch((await app.listen({ port: 0, host: '127.0.0.1' })) + path);
  await answer.body?.cancel();
  await ended;
});

describe('the receipt of a file', () => {
  const receipt = '{"payload":"cGF5bG9hZA"}';

  test('is sent as inert JSON until the job expires, from the service even if files come from the store', async () => {
    serve({ receipt, redirect: true });
    const response = await app.inject({ url: `${path}.receipt` });
    expect([response.statusCode, response.payload]).toEqual([200, receipt]);
    expect(response.headers).toMatchObject({
      'content-type': 'application/jose+json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^sandbox; /),
      'content-disposition': 'attachment; filename=film.mp4.receipt',
      'cache-control': expect.stringMatching(/^private, max-age=(?:60|59)$/),
    });
    const head = await app.inject({ method: 'HEAD', url: `${path}.receipt` });
    expect([head.statusCode, head.payload, head.headers['content-length']]).toEqual([200, '', `${receipt.length}`]);
    const etag = String(response.headers.etag);
    const again = await app.inject({ url: `${path}.receipt`, headers: { 'if-none-match': etag } });
    expect(again.statusCode).toBe(304);
  });

  test('is not mistaken for a file whose own name ends in .receipt', async () => {
    serve({ receipt, name: 'film.mp4.receipt' });
    expect((await app.inject({ url: `${path}.receipt` })).payload).toBe('0123456789');
    expect((await app.inject({ url: `${path}.receipt.receipt` })).payload).toBe(receipt);
  });

  test('belongs to the link, whatever name the caller gives the file', async () => {
    serve({ receipt });
    const response = await app.inject({ url: path.replace('film.mp4', 'my%20film.mp4.receipt') });
    expect([response.statusCode, response.payload]).toEqual([200, receipt]);
  });

  test('does not exist for a file of an earlier version', async () => {
    serve();
    const response = await app.inject({ url: `${path}.receipt` });
    expect([response.statusCode, response.json()]).toEqual([404, { code: 'not_found', retryable: false }]);
  });

  test('is gone with a lost file', async () => {
    serve({ receipt, lost: true });
    await app.inject({ url: path });
    const response = await app.inject({ url: `${path}.receipt` });
    expect([response.statusCode, response.json()]).toMatchObject([410, { code: 'file_lost' }]);
  });
});
