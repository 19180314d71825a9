import type { FileHandle } from 'node:fs/promises';
import type { FileRange, HashedPart } from '../../files/hashing/hasher.ts';
import { openForReading } from '../../files/open-file.ts';
import { createArrivalSum } from './arrival-sum.ts';
import type { ByteRange } from './byte-ranges.ts';
import { acquireBuffer, releaseBuffer } from './write-buffer-pool.ts';

/** Reads stored bytes back. */
export interface StoredBytes {
  /**
   * Returns the sum of the bytes of parts, in order; undefined if a file ends before its part.
   *
   * @throws UnsafeFileError; an error of the file system; the signal's reason.
   */
  sumOf(parts: readonly HashedPart[]): Promise<string | undefined>;
}

/**
 * Reads stored bytes back, and keeps their files open until `read` settles. The engine may be reading the same files, so
 * they may have a second link.
 */
export async function withStoredBytes(signal: AbortSignal, read: (bytes: StoredBytes) => Promise<void>): Promise<void> {
  const files = new Map<string, FileHandle>();
  const buffer = acquireBuffer();

  async function open(path: string): Promise<FileHandle> {
    const file = files.get(path) ?? (await openForReading(path, { links: 'any' }));
    files.set(path, file);
    return file;
  }

  async function sumOf(parts: readonly HashedPart[]): Promise<string | undefined> {
    const sum = createArrivalSum();
    for (const part of parts) {
      if (part instanceof Uint8Array) {
        sum.add(part);
        continue;
      }
      const { path, position, length } = part;
      const file = await open(path);
      for (let at = 0; at < length; ) {
        signal.throwIfAborted();
        const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, length - at), position + at);
        if (bytesRead === 0) return undefined;
        sum.add(buffer.subarray(0, bytesRead));
        at += bytesRead;
      }
    }
    return sum.digest();
  }

  try {
    await read({ sumOf });
  } finally {
    releaseBuffer(buffer);
    for (const file of files.values()) await file.close();
  }
}

/** Returns the function that tells where ranges of a source are in a file: shifted by `by` bytes, by default 0. */
export function partsIn(path: string, by = 0): (range: ByteRange) => [FileRange] {
  return ({ from, end }) => [{ path, position: from + by, length: end - from }];
}
