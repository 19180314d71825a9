import { constants, createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ifMissing } from '../if-missing.ts';
import { checkKey, isKey } from './keys.ts';
import type { Storage } from './storage.ts';

/** A copy that has not grown for so long was cut short by a sudden death. */
const COPY_DEAD_AFTER_MS = 3_600_000;
/** Bytes read from a file at once. */
const READ_BYTES = 256 * 1024;

/** Keeps files in a folder: of this machine, or one that all nodes have mounted. */
export async function openDiskStorage(folder: string): Promise<Storage> {
  const copies = join(folder, 'copies');
  await mkdir(copies, { recursive: true });

  function pathOf(key: string): string {
    checkKey(key);
    return join(folder, key.slice(0, 2), key);
  }

  const copyOf = (key: string) => join(copies, `${key}.copy`);

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
        await copyOver(path, target, copyOf(key), signal, onProgress);
      }
      await syncFile(target);
      onProgress(1);
    },
    async delete(key) {
      await rm(pathOf(key), { force: true });
      // Of a run whose worker died over it.
      await rm(copyOf(key), { force: true });
    },
    async *keys() {
      for (const name of await readdir(folder)) {
        if (/^[0-9a-f]{2}$/.test(name)) yield (await readdir(join(folder, name))).filter(isKey);
      }
    },
    async read(key, { first, last }, signal) {
      const file = await open(pathOf(key), 'r').catch(ifMissing);
      return file?.createReadStream({ start: first, end: last, highWaterMark: READ_BYTES, signal });
    },
    async sweep() {
      for (const name of await readdir(copies)) {
        const path = join(copies, name);
        // Another node may be faster.
        const found = await stat(path).catch(ifMissing);
        if (found !== undefined && Date.now() - found.mtimeMs > COPY_DEAD_AFTER_MS) await rm(path, { force: true });
      }
    },
    async check() {
      await access(folder, constants.W_OK);
    },
    async close() {
      // Nothing is held open.
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
