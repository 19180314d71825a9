import type { FileHandle } from 'node:fs/promises';
import type { FileRange, HashedPart } from '../../files/hashing/hasher.ts';
import { openForReading } from '../../files/open-file.ts';
import type { ByteRange } from './byte-ranges.ts';

/**
 * Size in bytes of one read. Each is handed to another thread, which waits for a turn on a busy machine. To read and sum
 * 300 MB took 74 ms in steps of 1 MiB, and 37 ms in steps of 4 MiB (on a busy machine, measured 2026-11-29).
 */
const READ_BYTES = 4 * 1024 * 1024;

/** Reads stored bytes back. */
export interface StoredBytes {
  /**
   * Returns the bytes of parts, in order, in a buffer that is used again for the next ones. Ends early if a file ends
   * before its part.
   *
   * @throws UnsafeFileError; an error of the file system; the signal's reason.
   */
  read(parts: readonly HashedPart[]): AsyncGenerator<Uint8Array, void>;
}

/**
 * Reads stored bytes back, and keeps their files open until `use` settles. The engine may be reading the same files, so
 * they may have a second link.
 *
 * @param readBytes Size of one read. Default: 4 MiB.
 */
export async function withStoredBytes(
  signal: AbortSignal,
  use: (bytes: StoredBytes) => Promise<void>,
  readBytes = READ_BYTES,
): Promise<void> {
  const files = new Map<string, FileHandle>();
  let buffer = Buffer.alloc(0);

  async function open(path: string): Promise<FileHandle> {
    const file = files.get(path) ?? (await openForReading(path, { links: 'any' }));
    files.set(path, file);
    return file;
  }

  async function* read(parts: readonly HashedPart[]): AsyncGenerator<Uint8Array, void> {
    for (const part of parts) {
      if (part instanceof Uint8Array) {
        yield part;
        continue;
      }
      const { path, position, length } = part;
      const file = await open(path);
      if (buffer.length === 0) buffer = Buffer.allocUnsafeSlow(readBytes);
      for (let at = 0; at < length; ) {
        signal.throwIfAborted();
        const { bytesRead } = await file.read(buffer, 0, Math.min(readBytes, length - at), position + at);
        if (bytesRead === 0) return;
        yield buffer.subarray(0, bytesRead);
        at += bytesRead;
      }
    }
  }

  try {
    await use({ read });
  } finally {
    // The memory is released at once, as in `write-buffer-pool.ts`.
    buffer.buffer.transfer(0);
    for (const file of files.values()) await file.close();
  }
}

/** Returns the function that tells where ranges of a source are in a file: shifted by `by` bytes, by default 0. */
export function partsIn(path: string, by = 0): (range: ByteRange) => [FileRange] {
  return ({ from, end }) => [{ path, position: from + by, length: end - from }];
}
