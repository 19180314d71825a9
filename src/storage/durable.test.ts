import { randomUUID } from 'node:crypto';
import { mkdtemp, open, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hasOpenFiles } from '../files/folder.ts';
import { openDiskStorage } from './disk-storage.ts';

let ground: string;
/** The synced paths in order, each as it was named at that moment. */
let synced: string[];

beforeEach(async () => {
  ground = await realpath(await mkdtemp(join(tmpdir(), 'millrace-durable-')));
  synced = [];
  const handle = await open(ground);
  const { sync } = Object.getPrototypeOf(handle);
  vi.spyOn(Object.getPrototypeOf(handle), 'sync').mockImplementation(async function (this: typeof handle) {
    synced.push(await readlink(`/proc/self/fd/${this.fd}`));
    return sync.call(this);
  });
  await handle.close();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(ground, { recursive: true, force: true });
});

async function put(from: string) {
  const key = randomUUID();
  const storage = await openDiskStorage(join(ground, 'files'));
  const path = join(from, 'result.mp4');
  await writeFile(path, 'a film');
  synced = [];
  await storage.put(key, path, { size: 6, signal: AbortSignal.timeout(60_000), onProgress: () => undefined });
  return join(ground, 'files', key.slice(0, 2), key);
}

test.runIf(hasOpenFiles)('syncs a stored file at its final path, then its folder and the parent folder', async () => {
  const place = await put(ground);
  expect(synced).toEqual([place, dirname(place), join(ground, 'files')]);
});

test.runIf(hasOpenFiles)('does the same for a file copied from another file system', async ({ skip }) => {
  const elsewhere = await mkdtemp('/dev/shm/millrace-durable-').catch(() => skip('there is no /dev/shm'));
  try {
    const place = await put(elsewhere);
    expect(synced.slice(-3)).toEqual([place, dirname(place), join(ground, 'files')]);
  } finally {
    await rm(elsewhere, { recursive: true, force: true });
  }
});

test.runIf(hasOpenFiles)('syncs the folder of a new storage up to the first existing folder', async () => {
  await openDiskStorage(join(ground, 'data', 'files'));
  expect(synced).toEqual(expect.arrayContaining([join(ground, 'data'), ground]));
});
