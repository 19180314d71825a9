import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type HostileFolder,
  hostileKinds,
  makeHostileFolder,
  untouchedContent,
} from '../files/testing/hostile-files.ts';
import { openDiskStorage } from './disk-storage.ts';
import type { Storage } from './storage.ts';

let ground: HostileFolder;
let folder: string;
let storage: Storage;
let key: string;
/** Path of the stored file of the key. */
let place: string;

beforeEach(async () => {
  ground = await makeHostileFolder();
  folder = join(ground.folder, 'files');
  storage = await openDiskStorage(folder);
  key = randomUUID();
  place = join(folder, key.slice(0, 2), key);
});
afterEach(() => ground.delete());

const putFile = (path: string, size: number) =>
  storage.put(key, path, { size, signal: new AbortController().signal, onProgress: () => undefined });

const result = () => join(ground.folder, 'result.mp4');

async function read(last: number): Promise<string> {
  const stream = await storage.read(key, { first: 0, last, size: 6 }, AbortSignal.timeout(60_000));
  return (await buffer(stream)).toString();
}

async function allKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const some of storage.keys()) keys.push(...some);
  return keys;
}

test('returns a stored file unchanged, and deletes it', async () => {
  await writeFile(result(), 'a film');
  await putFile(result(), 6);
  expect(await read(5)).toBe('a film');
  expect(await allKeys()).toEqual([key]);
  await storage.delete(key);
  await expect(read(5)).rejects.toMatchObject({ name: 'LostFileError', fault: 'missing' });
  expect(await allKeys()).toEqual([]);
});

describe.each(hostileKinds)('a %s', (trap) => {
  test('is not stored', async () => {
    await ground.place(trap, result());
    await expect(putFile(result(), untouchedContent.length)).rejects.toThrow();
    expect(await allKeys()).toEqual([]);
    expect(await ground.readVictim()).toBe(untouchedContent);
  });

  test('in place of a stored file is not served', async () => {
    await mkdir(dirname(place), { recursive: true });
    await ground.place(trap, place);
    await expect(read(3)).rejects.toThrow();
  });
});

test('rejects a read whose signal is already aborted, with its reason', async () => {
  await writeFile(result(), 'a film');
  await putFile(result(), 6);
  const reason = new Error('the node stops');
  const reading = storage.read(key, { first: 0, last: 5, size: 6 }, AbortSignal.abort(reason));
  await expect(reading).rejects.toBe(reason);
});

test('rejects a file whose size differs from the given one', async () => {
  await writeFile(result(), 'half a f');
  await expect(putFile(result(), 11)).rejects.toThrow(/8 bytes instead of 11/);
  expect(await allKeys()).toEqual([]);
});

test.each(['a f', 'a film and more', ''])('does not serve a stored file that changed to "%s"', async (content) => {
  await writeFile(result(), 'a film');
  await putFile(result(), 6);
  await writeFile(place, content);
  await expect(read(1)).rejects.toMatchObject({ name: 'LostFileError', fault: 'damaged' });
});

test('reads, stores and deletes nothing through a link in place of a storage folder', async () => {
  const elsewhere = join(ground.folder, 'elsewhere');
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, key), 'theirs');
  await symlink(elsewhere, dirname(place));
  await expect(read(3)).rejects.toThrow();
  await expect(storage.delete(key)).rejects.toThrow();
  expect(await allKeys()).toEqual([]);
  await writeFile(result(), 'a film');
  await expect(putFile(result(), 6)).rejects.toThrow();
  expect(await readdir(elsewhere)).toEqual([key]);
  expect(await readFile(join(elsewhere, key), 'utf8')).toBe('theirs');
});

test('deletes a link in place of a stored file without its target', async () => {
  await mkdir(dirname(place), { recursive: true });
  await ground.place('symbolic link', place);
  await storage.delete(key);
  expect(await readdir(dirname(place))).toEqual([]);
  expect(await ground.readVictim()).toBe(untouchedContent);
});

test('creates no folders when it opens, sweeps or deletes, because another user may do that with millrace doctor', async () => {
  await storage.sweep();
  await storage.delete(key);
  expect(await readdir(folder)).toEqual([]);
});

test('leaves the target of a link among the copies unchanged', async () => {
  await rm(join(folder, 'copies'), { recursive: true, force: true });
  await mkdir(join(folder, 'copies'));
  await ground.place('symbolic link', join(folder, 'copies', `${key}.copy`));
  await storage.sweep();
  expect(await ground.readVictim()).toBe(untouchedContent);
});

test('hashes small files when storing them, but not large ones', async () => {
  await writeFile(result(), 'a film');
  expect(await putFile(result(), 6)).toEqual({ sha256: createHash('sha256').update('a film').digest('base64') });
  const size = 2 * 1024 ** 2;
  await writeFile(result(), Buffer.alloc(size));
  expect(await putFile(result(), size)).toEqual({});
});
