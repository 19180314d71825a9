import { hash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFolder, makeRootFolder, namesIn, syncFolder } from '../files/folder.ts';
import { freeBytes } from '../files/free-bytes.ts';
import { ifMissing } from '../files/if-missing.ts';
import { openForReading, openForWriting } from '../files/open-file.ts';
import { type OutputFile, openOutputFile } from '../files/output-file.ts';
import { removeFile } from '../files/remove-tree.ts';
import { GROUP_AND_OTHERS, restrictToOwner } from '../files/restrict-to-owner.ts';
import { readBytes } from '../files/small-file.ts';
import { UnsafeFileError } from '../files/unsafe-file-error.ts';
import type { Bulkhead } from './bulkhead.ts';
import { openDiskMark } from './disk-mark.ts';
import { checkKey, isKey } from './file-keys.ts';
import { missingFile, wrongSize } from './lost-file-error.ts';
import { readPart } from './read-part.ts';
import type { Storage } from './storage.ts';

/** A copy that has not grown for this long belongs to a dead process. */
const COPY_DEAD_AFTER_MS = 3_600_000;

/**
 * Maximum size of files that are hashed when they are stored. Larger files are hashed later, so that no job waits for
 * the hash.
 */
const MAX_HASHED_BYTES = 1024 * 1024;

/**
 * Opens a storage that keeps files in a folder on this machine, or in one that all nodes have mounted.
 *
 * @param run Bulkhead for the reads of its streams.
 */
export async function openDiskStorage(path: string, run: Bulkhead = (call) => call()): Promise<Storage> {
  const folder = await makeRootFolder(path);
  // The folder is created with the first copy, so that its owner is the user who stores files.
  const copies = join(folder, 'copies');
  await restrictFolders(folder);

  function pathOf(key: string): string {
    checkKey(key);
    return join(folder, key.slice(0, 2), key);
  }

  const copyOf = (key: string) => join(copies, `${key}.copy`);

  return {
    prepare(path) {
      // Syncing early saves half a second per gigabyte when the file is stored.
      syncFile(path).catch(() => undefined);
    },
    async put(key, path, { size, signal, onProgress }) {
      const target = pathOf(key);
      await makeFolder(dirname(target));
      const file = await openOutputFile(path, size);
      let sha256: string | undefined;
      try {
        if (size <= MAX_HASHED_BYTES) sha256 = hash('sha256', await readBytes(file.file, size), 'base64');
        await moveOrCopy(file, { size, target, copy: copyOf(key), signal, onProgress });
      } finally {
        await file.close();
      }
      await removeFile(path);
      await syncFolder(dirname(target));
      // The folder, named by two hexadecimal digits, may be new: created by this call or by another that has not synced
      // it yet.
      await syncFolder(folder);
      onProgress(1);
      return sha256 === undefined ? {} : { sha256 };
    },
    async delete(key) {
      await removeFile(pathOf(key));
      // A copy under this key may be left over from a run whose worker died.
      await removeFile(copyOf(key));
    },
    async *keys() {
      for (const name of await namesIn(folder)) {
        if (/^[0-9a-f]{2}$/.test(name)) yield (await namesIn(join(folder, name)).catch(ifLink)).filter(isKey);
      }
    },
    async read(key, { size, ...part }, signal) {
      const file = await openForReading(pathOf(key)).catch(ifMissing);
      if (file === undefined) throw missingFile(key);
      try {
        const { size: actual } = await file.stat();
        if (actual !== size) throw wrongSize(key, String(actual), size);
        // A stream that starts aborted fails before its reader can listen, which would end the process.
        signal.throwIfAborted();
        return readPart(file, part, run, signal);
      } catch (error) {
        await file.close();
        throw error;
      }
    },
    async storedAt(key) {
      return (await lstat(pathOf(key)).catch(ifMissing))?.mtime;
    },
    ...openDiskMark(folder),
    async sweep() {
      for (const name of (await namesIn(copies).catch(ifMissing)) ?? []) {
        const path = join(copies, name);
        // Another node may have removed it first.
        const copy = await lstat(path).catch(ifMissing);
        if (copy !== undefined && Date.now() - copy.mtimeMs > COPY_DEAD_AFTER_MS) await removeFile(path);
      }
    },
    freeBytes: () => freeBytes(folder),
    async check() {
      await access(folder, constants.W_OK);
    },
    async close() {
      // No resources are held open.
    },
  };
}

/**
 * Closes files that earlier versions left open to other users. Skips folders that are already closed, and folders of
 * another user.
 */
async function restrictFolders(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    if (!/^(?:[0-9a-f]{2}|copies)$/.test(name) || ((await lstat(path)).mode & GROUP_AND_OTHERS) === 0) continue;
    restrictToOwner(path, { owners: new Set(), parentIsPrivate: false, change: true });
  }
}

function isCrossDevice(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EXDEV';
}

interface MoveOptions {
  readonly size: number;
  readonly target: string;
  readonly copy: string;
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

/** Moves a file to its path and syncs it: a job is done only when its file would survive a power cut. */
async function moveOrCopy(output: OutputFile, move: MoveOptions): Promise<void> {
  try {
    await output.moveTo(move.target);
  } catch (error) {
    if (!isCrossDevice(error)) throw error;
    return await copyAcrossDevices(output, move);
  }
  await output.file.sync();
}

/** Copies to a temporary file in the target's file system first, so that the target is either complete or missing. */
async function copyAcrossDevices(
  { file }: OutputFile,
  { size, target, copy, signal, onProgress }: MoveOptions,
): Promise<void> {
  let bytesCopied = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      bytesCopied += chunk.length;
      onProgress(size === 0 ? 1 : bytesCopied / size);
      callback(null, chunk);
    },
  });
  try {
    await makeFolder(dirname(copy));
    const writer = await openForWriting(copy, { keep: false });
    await pipeline(file.createReadStream({ start: 0, autoClose: false }), counter, writer.createWriteStream(), {
      signal,
    });
    const whole = await openOutputFile(copy, size);
    try {
      await whole.moveTo(target);
      await whole.file.sync();
    } finally {
      await whole.close();
    }
  } catch (error) {
    await removeFile(copy);
    throw error;
  }
}

/** Returns no names if a folder is a link, because its target is not part of the storage. */
function ifLink(error: unknown): string[] {
  if (error instanceof UnsafeFileError) return [];
  throw error;
}

/** Starts syncing a file to disk while it is still being written. */
async function syncFile(path: string): Promise<void> {
  const file = await openForReading(path);
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}
