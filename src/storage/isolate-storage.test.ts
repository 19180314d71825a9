import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Bulkhead } from './bulkhead.ts';
import { openDiskStorage } from './disk-storage.ts';
import { isolateStorage } from './isolate-storage.ts';
import type { Storage } from './storage.ts';

const limits = { maxCalls: 2, timeout: 50 };
const size = 1_000_000;
const bytes = Buffer.alloc(size, 'film');
const part = { first: 0, last: size - 1, size };

let folder: string;
let key: string;
/** Pending while the folder's file system hangs. */
let responding: PromiseWithResolvers<void>;
/** Calls that reached the file system. */
let calls: number;

beforeEach(async () => {
  // A busy machine could take longer than the timeout for a call that does not hang.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  folder = await mkdtemp(join(tmpdir(), 'millrace-isolated-'));
  key = randomUUID();
  calls = 0;
  respond();
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true, force: true });
});

/** Lets time pass until a call has ended. */
async function ended<Result>(call: Promise<Result>): Promise<PromiseSettledResult<Result>> {
  let outcome: PromiseSettledResult<Result> | undefined;
  void Promise.allSettled([call]).then(([settled]) => {
    outcome = settled;
  });
  while (outcome === undefined) {
    await vi.advanceTimersByTimeAsync(limits.timeout);
    await new Promise(setImmediate);
  }
  return outcome;
}

function respond(): void {
  responding = Promise.withResolvers<void>();
  responding.resolve();
}
function hang(): void {
  responding = Promise.withResolvers<void>();
}

/** Opens a storage in the folder whose calls hang while its file system does. */
async function openHanging(run: Bulkhead): Promise<Storage> {
  const disk = await openDiskStorage(join(folder, 'store'), (read) =>
    run(async () => {
      await answer();
      return await read();
    }),
  );
  async function answer(): Promise<void> {
    calls += 1;
    await responding.promise;
  }
  return {
    ...disk,
    check: () => answer().then(() => disk.check()),
    delete: (file) => answer().then(() => disk.delete(file)),
    read: (file, place, signal) => answer().then(() => disk.read(file, place, signal)),
  };
}

async function store(storage: Storage): Promise<void> {
  const path = join(folder, 'film');
  await writeFile(path, bytes);
  await storage.put(key, path, { size, signal: AbortSignal.timeout(60_000), onProgress: () => undefined });
}

const read = async (storage: Storage) => await storage.read(key, part, AbortSignal.timeout(60_000));

test('opens a folder at the next use if it could not be opened before', async () => {
  let failures = 2;
  const storage = isolateStorage(async (run) => {
    failures -= 1;
    if (failures >= 0) throw new Error('stale file handle');
    return await openHanging(run);
  }, 'store');
  await expect(storage.check()).rejects.toThrow('stale file handle');
  await expect(read(storage)).rejects.toThrow('stale file handle');
  await store(storage);
  expect((await buffer(await read(storage))).equals(bytes)).toBe(true);
});

test('limits the calls that wait for a hanging folder, fails further ones immediately, and recovers', async () => {
  const storage = isolateStorage(openHanging, 'the-store', limits);
  await store(storage);
  hang();
  const checks = Array.from({ length: 10 }, () => storage.check());
  for (const { status } of await Promise.all(checks.map(ended))) expect(status).toBe('rejected');
  for (const call of [storage.check(), storage.delete(key), read(storage)]) {
    await expect(call).rejects.toThrow('the store the-store does not respond');
  }
  expect(calls).toBe(2);
  responding.resolve();
  await expect
    .poll(() =>
      storage.check().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  expect((await buffer(await read(storage))).equals(bytes)).toBe(true);
});

test('ends downloads from a folder that starts hanging, and few of their reads wait', async () => {
  const storage = isolateStorage(openHanging, 'the-store', limits);
  await store(storage);
  const streams = await Promise.all(Array.from({ length: 5 }, () => read(storage)));
  hang();
  calls = 0;
  for (const { status } of await Promise.all(streams.map((stream) => ended(buffer(stream))))) {
    expect(status).toBe('rejected');
  }
  expect(calls).toBe(2);
  responding.resolve();
});

test('closes a file that is opened too late', async () => {
  const source = new Readable({ read: () => undefined });
  const opening = Promise.withResolvers<Readable>();
  const storage = isolateStorage(
    async (run) => ({ ...(await openDiskStorage(folder, run)), read: () => opening.promise }),
    'the-store',
    limits,
  );
  expect(await ended(read(storage))).toMatchObject({ reason: expect.objectContaining({ name: 'TimeoutError' }) });
  opening.resolve(source);
  await expect.poll(() => source.destroyed).toBe(true);
});
