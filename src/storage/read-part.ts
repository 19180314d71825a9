import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Bulkhead } from './bulkhead.ts';
import type { StoredPart } from './storage.ts';

/** Bytes of one read by default. */
const READ_BYTES = 256 * 1024;

/**
 * Reads a part of an open file, and closes the file with the stream. Works like `createReadStream` of the handle, but
 * each read goes through a bulkhead, and none happens before the
 * reader needs it: slow readers would otherwise hold several buffers. Ends early if the file does.
 */
export function readPart(
  file: FileHandle,
  { first, last, nextChunkSize = () => READ_BYTES }: Omit<StoredPart, 'size'>,
  run: Bulkhead,
  signal: AbortSignal,
): Readable {
  let position = first;

  async function next(): Promise<Buffer | null> {
    // Not taken from the pool, because the whole buffer is passed on.
    const chunk = Buffer.allocUnsafeSlow(Math.min(nextChunkSize(), last + 1 - position));
    if (chunk.length === 0) return null;
    const { bytesRead } = await run(() => file.read(chunk, 0, chunk.length, position));
    position += bytesRead;
    return bytesRead === 0 ? null : chunk.subarray(0, bytesRead);
  }

  return new Readable({
    highWaterMark: 0,
    signal,
    read() {
      next().then(
        (chunk) => this.push(chunk),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, callback) {
      file.close().then(
        () => callback(error),
        (failure: Error) => callback(error ?? failure),
      );
    },
  });
}
