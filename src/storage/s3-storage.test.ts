import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startS3 } from '../../test/support/s3.ts';
import { hostileKinds, makeHostileFolder, untouchedContent } from '../files/testing/hostile-files.ts';
import { UnsafeFileError } from '../files/unsafe-file-error.ts';
import { openS3Storage } from './s3-storage.ts';
import type { Storage, StoredPart } from './storage.ts';

let folder: string;
let storage: Storage;
let stop: () => Promise<void>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-s3-'));
  const server = await startS3('files', join(folder, 'store'));
  stop = server.stop;
  for (const [name, value] of Object.entries(server.environment)) vi.stubEnv(name, value);
  storage = openS3Storage({ bucket: 'files', prefix: 'made/' });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await storage.close();
  await stop();
  await rm(folder, { recursive: true, force: true });
});

/** Stores a file with the given number of bytes, and returns its key, its bytes and its reported progress. */
async function put(size: number) {
  const key = randomUUID();
  const bytes = randomBytes(size);
  const path = join(folder, key);
  await writeFile(path, bytes);
  const requests: number[] = [];
  const signal = AbortSignal.timeout(60_000);
  const result = await storage.put(key, path, { size, signal, onProgress: (part) => requests.push(part) });
  return { key, bytes, requests, result };
}

const facts = { name: 'a “film”.mp4', type: 'video/mp4' as const, expiresAt: new Date(Date.now() + 60_000) };

/** Requests a file directly from the store with a signed link. */
async function fetchStored(key: string, method: 'GET' | 'HEAD' = 'GET'): Promise<Response> {
  return fetch((await storage.link?.(key, method, facts)) ?? '', { method });
}

async function read(key: string, part: StoredPart): Promise<Buffer> {
  return await buffer(await storage.read(key, part, AbortSignal.timeout(60_000)));
}

async function allKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const some of storage.keys()) keys.push(...some);
  return keys;
}

test.each([0, 1, 3_000_000, 20 * 1024 * 1024 + 7])(
  'returns a file of %i bytes unchanged',
  { tags: ['long'] },
  async (size) => {
    const { key, bytes, requests, result } = await put(size);
    expect(result).toEqual({ sha256: createHash('sha256').update(bytes).digest('base64') });
    if (size > 0) expect((await read(key, { first: 0, last: size - 1, size })).equals(bytes)).toBe(true);
    const answer = await fetchStored(key);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    expect(answer.headers.get('content-type')).toBe('video/mp4');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename=".*film.*\.mp4"; filename\*=UTF-8''/,
    );
    expect(requests.at(-1)).toBe(1);
    expect(requests).toEqual(requests.toSorted((one, other) => one - other));
  },
);

test('reads a part of a file', async () => {
  const { key, bytes } = await put(1000);
  expect(await read(key, { first: 10, last: 19, size: 1000 })).toEqual(bytes.subarray(10, 20));
  expect(await read(key, { first: 999, last: 999, size: 1000 })).toEqual(bytes.subarray(999));
});

test.each([10, 20 * 1024 * 1024])(
  'sends metadata so that the store itself serves a file of %i bytes as a download',
  async (size) => {
    const { key } = await put(size);
    const client = new S3Client({ forcePathStyle: true });
    const stored = await client.send(new HeadObjectCommand({ Bucket: 'files', Key: `made/${key}` }));
    client.destroy();
    expect(stored).toMatchObject({ ContentType: 'application/octet-stream', ContentDisposition: 'attachment' });
  },
);

test('creates links for HEAD', async () => {
  const { key } = await put(1000);
  const answer = await fetchStored(key, 'HEAD');
  expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '1000']);
});

test('deletes a file, and ignores one that never existed', async () => {
  const { key } = await put(10);
  expect(await allKeys()).toContain(key);
  await storage.delete(key);
  await storage.delete(randomUUID());
  expect(await allKeys()).not.toContain(key);
  expect((await fetchStored(key)).status).toBe(404);
  const missingPart = read(key, { first: 0, last: 9, size: 10 });
  await expect(missingPart).rejects.toMatchObject({ name: 'LostFileError', fault: 'missing' });
});

test('leaves no remains of an aborted upload', async () => {
  const key = randomUUID();
  const path = join(folder, key);
  const size = 20 * 1024 * 1024;
  await writeFile(path, randomBytes(size));
  const abort = new AbortController();
  const reason = new Error('the worker stops');
  const putting = storage.put(key, path, { size, signal: abort.signal, onProgress: () => abort.abort(reason) });
  await expect(putting).rejects.toBe(reason);
  expect(await allKeys()).not.toContain(key);
});

test.each(hostileKinds)('does not upload a %s', async (trap) => {
  const ground = await makeHostileFolder();
  const key = randomUUID();
  const path = join(ground.folder, key);
  await ground.place(trap, path);
  const call = { size: untouchedContent.length, signal: AbortSignal.timeout(60_000), onProgress: () => undefined };
  await expect(storage.put(key, path, call)).rejects.toThrow(UnsafeFileError);
  expect(await allKeys()).not.toContain(key);
  await ground.delete();
});

test('does not send names to the store that are not keys', async () => {
  await expect(storage.delete('../made/other')).rejects.toThrow('is not a file key');
});

test('sweeps a store that does not list its uploads', async () => {
  const { key } = await put(10);
  await storage.sweep();
  expect(await allKeys()).toContain(key);
});

test('returns the origin of its download links', async () => {
  const { key } = await put(10);
  const facts = { name: 'a.mp4', type: 'video/mp4' as const, expiresAt: new Date(Date.now() + 60_000) };
  const link = await storage.link?.(key, 'GET', facts);
  expect(new URL(link ?? '').origin).toBe(await storage.origin?.());
});

test('fails the check if the bucket does not exist', async () => {
  const other = openS3Storage({ bucket: 'nowhere', prefix: '' });
  await expect(other.check()).rejects.toThrow();
  await other.close();
  await storage.check();
});

test.each([
  ['shorter', 900, 999, 1000, 950],
  ['shorter than the part begins', 900, 999, 1000, 10],
  ['longer', 0, 9, 10, 20],
])('does not serve a file that became %s', async (_how, first, last, size, foundSize) => {
  const { key } = await put(foundSize);
  await expect(read(key, { first, last, size })).rejects.toMatchObject({ name: 'LostFileError', fault: 'damaged' });
});

test('does not report files of a missing bucket as lost', async () => {
  const other = openS3Storage({ bucket: 'nowhere', prefix: '' });
  const reading = other.read(randomUUID(), { first: 0, last: 9, size: 10 }, AbortSignal.timeout(60_000));
  await expect(reading).rejects.toMatchObject({ name: 'NoSuchBucket' });
  await other.close();
});
