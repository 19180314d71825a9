import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startS3 } from '../../test/support/s3.ts';
import { openS3Storage } from './s3.ts';
import type { Storage } from './storage.ts';

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

/** Puts a file of so many bytes, and returns its key, its bytes and what was heard of its progress. */
async function put(size: number) {
  const key = randomUUID();
  const bytes = randomBytes(size);
  const path = join(folder, key);
  await writeFile(path, bytes);
  const heard: number[] = [];
  await storage.put(key, path, { signal: AbortSignal.timeout(30_000), onProgress: (part) => heard.push(part) });
  return { key, bytes, heard };
}

const facts = { name: 'a “film”.mp4', mediaType: 'video/mp4', expiresAt: new Date(Date.now() + 60_000) };

async function fetchStored(key: string, headers: Record<string, string> = {}): Promise<Response> {
  const download = await storage.download(key, facts);
  if (!('url' in download)) throw new Error('there is no link');
  return fetch(download.url, { headers });
}

async function allKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const some of storage.keys()) keys.push(...some);
  return keys;
}

test.each([0, 1, 3_000_000, 20 * 1024 * 1024 + 7])('a file of %i bytes comes back as it was', async (size) => {
  const { key, bytes, heard } = await put(size);
  const answer = await fetchStored(key);
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  expect(answer.headers.get('content-type')).toBe('video/mp4');
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename=".*film.*\.mp4"; filename\*=UTF-8''/,
  );
  expect(heard.at(-1)).toBe(1);
  expect(heard).toEqual(heard.toSorted((one, other) => one - other));
});

test('a link serves ranges', async () => {
  const { key, bytes } = await put(1000);
  const answer = await fetchStored(key, { range: 'bytes=10-19' });
  expect([answer.status, Buffer.from(await answer.arrayBuffer())]).toEqual([206, bytes.subarray(10, 20)]);
});

test('a deleted file is gone, and one that never was is deleted already', async () => {
  const { key } = await put(10);
  expect(await allKeys()).toContain(key);
  await storage.delete(key);
  await storage.delete(randomUUID());
  expect(await allKeys()).not.toContain(key);
  expect((await fetchStored(key)).status).toBe(404);
});

test('what is given up leaves nothing', async () => {
  const key = randomUUID();
  const path = join(folder, key);
  await writeFile(path, randomBytes(20 * 1024 * 1024));
  const abort = new AbortController();
  const reason = new Error('the worker stops');
  const putting = storage.put(key, path, { signal: abort.signal, onProgress: () => abort.abort(reason) });
  await expect(putting).rejects.toBe(reason);
  expect(await allKeys()).not.toContain(key);
});

test('names that are no keys never reach the store', async () => {
  await expect(storage.delete('../made/other')).rejects.toThrow('not one of ours');
});

test('a store that does not list its uploads is swept all the same', async () => {
  const { key } = await put(10);
  await storage.sweep();
  expect(await allKeys()).toContain(key);
});

test('a bucket that is not there fails the check', async () => {
  const other = openS3Storage({ bucket: 'nowhere', prefix: '' });
  await expect(other.check()).rejects.toThrow();
  await other.close();
  await storage.check();
});
