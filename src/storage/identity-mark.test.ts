import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startS3 } from '../../test/support/s3.ts';
import { openDiskStorage } from './disk-storage.ts';
import { findMark, guardStorage, markText } from './identity-mark.ts';
import { openS3Storage } from './s3-storage.ts';
import type { Storage } from './storage.ts';

let folder: string;
let stop: () => Promise<void>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-mark-'));
  const server = await startS3('files', join(folder, 's3'));
  stop = server.stop;
  for (const [name, value] of Object.entries(server.environment)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await stop();
  await rm(folder, { recursive: true, force: true });
});

let count = 0;
const stores: Record<string, () => Promise<Storage>> = {
  'a folder': () => openDiskStorage(join(folder, `disk-${count++}`)),
  'a bucket': async () => openS3Storage({ bucket: 'files', prefix: `made-${count++}/` }),
};

describe.each(Object.entries(stores))('%s', (_, open) => {
  test('keeps its first mark until it is replaced', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    const storage = await open();
    expect(await findMark(storage)).toBeUndefined();
    expect(await storage.writeMark(markText(first), { replace: false })).toBe(true);
    expect(await storage.writeMark(markText(second), { replace: false })).toBe(false);
    expect(await findMark(storage)).toEqual({ database: first });
    expect(await storage.writeMark(markText(second), { replace: true })).toBe(true);
    expect(await findMark(storage)).toEqual({ database: second });
    await storage.close();
  });

  test('keeps its mark next to its files, and not among them', async () => {
    const storage = await open();
    await storage.writeMark(markText(randomUUID()), { replace: false });
    const keys: string[] = [];
    for await (const some of storage.keys()) keys.push(...some);
    expect(keys).toEqual([]);
    await storage.close();
  });

  test('reports when a file was stored, and that another was not', async () => {
    const storage = await open();
    expect(await storage.storedAt(randomUUID())).toBeUndefined();
    await storage.close();
  });

  test('treats an overlong mark as unreadable', async () => {
    const storage = await open();
    await storage.writeMark(`${' '.repeat(5_000)}${markText(randomUUID())}`, { replace: false });
    expect(await findMark(storage)).toEqual({ database: undefined });
    await storage.close();
  });
});

test.each([
  ['a folder', (path: string) => mkdir(path)],
  ['a link', (path: string) => symlink('elsewhere', path)],
])('a mark that is %s is unreadable', async (_, make) => {
  const place = join(folder, `disk-${count++}`);
  const storage = await openDiskStorage(place);
  await make(join(place, 'store.json'));
  expect(await findMark(storage)).toEqual({ database: undefined });
});

test('a folder in place of the mark is not replaced, and the error names it', async () => {
  const place = join(folder, `disk-${count++}`);
  const storage = await openDiskStorage(place);
  await mkdir(join(place, 'store.json'));
  const writing = storage.writeMark(markText(randomUUID()), { replace: true });
  await expect(writing).rejects.toThrow(/store\.json is not a regular file$/);
});

test('one of many processes that mark a folder concurrently succeeds, and only the service can access the mark', async () => {
  const place = join(folder, 'raced');
  const storages = await Promise.all(Array.from({ length: 20 }, () => openDiskStorage(place)));
  const marks = await Promise.all(
    storages.map((storage) => storage.writeMark(markText(randomUUID()), { replace: false })),
  );
  expect(marks.filter(Boolean)).toHaveLength(1);
  expect((await readdir(place)).toSorted()).toEqual(['store.json']);
  expect((await stat(join(place, 'store.json'))).mode & 0o777).toBe(0o600);
});

describe('a store whose mark cannot be read', () => {
  const mark = Promise.withResolvers<never>();
  const puts: string[] = [];
  const silent = async () =>
    guardStorage(
      {
        ...(await openDiskStorage(join(folder, 'silent'))),
        readMark: () => mark.promise,
        put: async (key) => {
          puts.push(key);
          return {};
        },
      },
      randomUUID(),
      'silent',
    );
  const call = { size: 1, onProgress: () => undefined };
  afterEach(() => vi.useRealTimers());

  test('stores no file once the call is aborted', async () => {
    const storage = await silent();
    const abort = new AbortController();
    const put = storage.put(randomUUID(), '/a', { ...call, signal: abort.signal });
    abort.abort(new Error('the worker stops'));
    await expect(put).rejects.toThrow('the worker stops');
    expect(puts).toEqual([]);
  });

  test('fails after 15 s', async () => {
    const storage = await silent();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const put = storage.put(randomUUID(), '/a', { ...call, signal: new AbortController().signal });
    const failed = expect(put).rejects.toThrow('15 s');
    await vi.advanceTimersByTimeAsync(15_000);
    await failed;
    expect(puts).toEqual([]);
  });
});

test('a mark that another node is writing is read once it is complete', async () => {
  const database = randomUUID();
  const text = markText(database);
  const texts = ['', text.slice(0, -10), text];
  expect(await findMark({ readMark: async () => texts.shift() })).toEqual({ database });
});
