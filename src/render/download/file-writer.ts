import type { FileHandle } from 'node:fs/promises';
import { writeBytes } from '../../files/write-size.ts';
import type { ByteRange } from './byte-ranges.ts';
import { filledParts, queueWrite } from './queued-writes.ts';
import { acquireBuffer, releaseBuffer } from './write-buffer-pool.ts';

/**
 * Maximum time for which slowly arriving chunks are buffered in milliseconds, also if the connection falls silent. If the
 * process dies, they must be fetched again.
 */
const BATCH_MS = 250;

/** Accepts bytes that arrive in order; returning to the first position starts over. Call `flush` or `finish` last. */
export interface ByteWriter {
  /**
   * Accepts a chunk that belongs at `position`. Its bytes may change after this returns. Await the promise, if any,
   * before the next chunk.
   */
  write(position: number, chunk: Buffer): undefined | Promise<undefined>;
  /** Settles when all accepted bytes are written, except those that can only be written at the end. */
  flush(): Promise<undefined>;
  /** Call it after the last chunk. Settles when all bytes are written. */
  finish(): Promise<undefined>;
}

/**
 * Creates a writer that writes bytes to a file, many small chunks in one call. Its position 0 is at `fileOffset` in the
 * file. `onWritten` is called with the positions that have been written.
 */
export function createFileWriter(
  file: FileHandle,
  fileOffset: number,
  onWritten?: (range: ByteRange) => void,
): ByteWriter {
  let buffers: Buffer<ArrayBuffer>[] = [];
  let size = 0;
  let start = 0;
  /** Writes slow chunks although no more arrive. There is one only while bytes are buffered. */
  let timer: NodeJS.Timeout | undefined;
  let isTimedWriteRunning = false;

  /** Settles with all writes that were started. A failure stays: the bytes after it have no place to be resumed from. */
  let writes: Promise<unknown> = Promise.resolve();

  async function flush(): Promise<undefined> {
    clearTimeout(timer);
    timer = undefined;
    writes = Promise.all([writes, writeBatch()]);
    await writes;
  }

  /** Starts the timer. The buffers of a slow file stay bounded, because it never runs during a write that it started. */
  function startTimer(): void {
    if (onWritten === undefined || size === 0 || isTimedWriteRunning) return;
    timer ??= setTimeout(() => {
      isTimedWriteRunning = true;
      const onSettled = () => {
        isTimedWriteRunning = false;
        startTimer();
      };
      // The next flush reports a failure.
      flush().then(onSettled, onSettled);
    }, BATCH_MS);
  }

  async function writeBatch(): Promise<void> {
    const [batch, at, bytes] = [buffers, start, size];
    buffers = [];
    start += size;
    size = 0;
    if (bytes === 0) return;
    try {
      await queueWrite(file, filledParts(batch, bytes), fileOffset + at);
      onWritten?.({ from: at, end: at + bytes });
    } finally {
      batch.forEach(releaseBuffer);
    }
  }

  /** Copies a chunk to the end of the buffers. */
  function append(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      const usedBytes = size % writeBytes;
      if (usedBytes === 0) buffers.push(acquireBuffer());
      const bytesCopied = chunk.copy(buffers.at(-1) ?? chunk, usedBytes, at);
      at += bytesCopied;
      size += bytesCopied;
    }
  }

  return {
    write(position, chunk) {
      if (size === 0) start = position;
      if (position !== start + size) {
        const copy = Buffer.from(chunk);
        return flush().then(() => {
          start = position;
          return this.write(position, copy);
        });
      }
      append(chunk);
      if (size >= writeBytes) return flush();
      startTimer();
      return undefined;
    },
    flush,
    finish: flush,
  };
}

/** Returns a writer that accepts bytes at other positions: `by` is added to get those of `writer`. */
export function shiftWriter(writer: ByteWriter, by: number): ByteWriter {
  return {
    write: (position, chunk) => writer.write(position + by, chunk),
    flush: () => writer.flush(),
    finish: () => writer.finish(),
  };
}
