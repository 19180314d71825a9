import { constants, createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Storage } from './storage.ts';

/** Keys are made by us; anything else never reaches the disk. */
const keyPattern = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** Keeps files in a folder of this machine, which this process alone uses. */
export async function openDiskStorage(folder: string): Promise<Storage> {
  // Copies that a sudden death cut short are nobody's.
  const copies = join(folder, 'copies');
  await rm(copies, { recursive: true, force: true });
  await mkdir(copies, { recursive: true });

  function locate(key: string) {
    if (!keyPattern.test(key)) throw new Error('a file key is not one of ours');
    return { folder: join(folder, key.slice(0, 2)), file: key };
  }
  function pathOf(key: string): string {
    const { folder: at, file } = locate(key);
    return join(at, file);
  }

  return {
    foresee(path) {
      // Half a second for a gigabyte, which would else be waited for in the end.
      syncFile(path).catch(() => undefined);
    },
    async put(key, path, { signal, onProgress }) {
      const target = pathOf(key);
      await mkdir(dirname(target), { recursive: true });
      try {
        await rename(path, target);
      } catch (error) {
        if (!isCrossDevice(error)) throw error;
        await copyOver(path, target, join(copies, `${key}.copy`), signal, onProgress);
      }
      await syncFile(target);
      onProgress(1);
    },
    async delete(key) {
      await rm(pathOf(key), { force: true });
    },
    async keys() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile() && keyPattern.test(entry.name)).map(({ name }) => name);
    },
    locate,
    async check() {
      await access(folder, constants.W_OK);
    },
  };
}

function isCrossDevice(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EXDEV';
}

/** Copies to another place of the same file system first, so that a file is there whole or not at all. */
async function copyOver(
  path: string,
  target: string,
  copy: string,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const { size } = await stat(path);
  let copied = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      copied += chunk.length;
      onProgress(size === 0 ? 1 : copied / size);
      done(null, chunk);
    },
  });
  try {
    await pipeline(createReadStream(path), counter, createWriteStream(copy), { signal });
    await rename(copy, target);
  } catch (error) {
    await rm(copy, { force: true });
    throw error;
  }
  await rm(path, { force: true });
}

/** A job is called done only when its file would survive a power cut. */
async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}
