import type { FileHandle } from 'node:fs/promises';
import { writeBytes } from '../../files/write-size.ts';
import type { ByteRange } from './byte-ranges.ts';
import { acquireBuffer, releaseBuffer } from './write-buffer-pool.ts';

/**
 * Maximum time for which slowly arriving chunks are buffered in milliseconds, also if the connection falls silent. If the
 * process dies, they must be fetched again.
 */
const BATCH_MS = 250;
/** Maximum number of bytes buffered in memory while their offset is unknown. */
const MAX_HELD_BYTES = 8 * 1024 * 1024;

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
 * file. If that is a promise, backpressure holds the sender until it resolves. `onWritten` is called with the positions
 * that have been written.
 */
export function createFileWriter(
  file: FileHandle,
  fileOffset: number | Promise<number>,
  onWritten?: (range: ByteRange) => void,
): ByteWriter {
  let buffers: Buffer<ArrayBuffer>[] = [];
  let size = 0;
  let start = 0;
  /** Writes slow chunks although no more arrive. There is one only while bytes are buffered that may be resumed from. */
  let timer: NodeJS.Timeout | undefined;
  let isTimedWriteRunning = false;
  let limit = writeBytes;
  /** Only bytes with a known offset are written early: the others would be held, and as many again. */
  const hasOffset = typeof fileOffset === 'number';
  if (!hasOffset) {
    limit = MAX_HELD_BYTES;
    const onSettled = () => {
      limit = writeBytes;
    };
    // The rejection is reported where the promise is awaited.
    fileOffset.then(onSettled, onSettled);
  }

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
    if (!hasOffset || onWritten === undefined || size === 0 || isTimedWriteRunning) return;
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
      await queueWrite(file, sliceBuffers(batch, bytes), (await fileOffset) + at);
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
      if (size >= limit) return flush();
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

/** Returns the filled part of the buffers; all but the last are full. */
function sliceBuffers(buffers: readonly Buffer[], bytes: number): Buffer[] {
  return buffers.map((buffer, at) => buffer.subarray(0, Math.min(writeBytes, bytes - at * writeBytes)));
}

/** The last write to each file. */
const lastWrites = new WeakMap<FileHandle, Promise<unknown>>();

/**
 * Writes to a file sequentially. The system does not run several writes to one file concurrently: the waiting threads
 * spin instead. Their spinning took 0.4 s of CPU time for one gigabyte over eight connections (measured 2026-11-21).
 */
function queueWrite(file: FileHandle, batch: readonly Buffer[], at: number): Promise<void> {
  const write = () => writeAll(file, batch, at);
  const turn = (lastWrites.get(file) ?? Promise.resolve()).then(write, write);
  lastWrites.set(file, turn);
  return turn;
}

async function writeAll(file: FileHandle, batch: readonly Buffer[], at: number): Promise<void> {
  let remaining = batch;
  let position = at;
  while (remaining.length > 0) {
    const { bytesWritten } = await file.writev(remaining, position);
    position += bytesWritten;
    remaining = dropBytes(remaining, bytesWritten);
  }
}

function dropBytes(batch: readonly Buffer[], bytesWritten: number): readonly Buffer[] {
  let skip = bytesWritten;
  let index = 0;
  for (let chunk = batch[index]; chunk !== undefined && skip >= chunk.length; chunk = batch[index]) {
    skip -= chunk.length;
    index += 1;
  }
  const [first, ...others] = batch.slice(index);
  return first === undefined ? [] : [first.subarray(skip), ...others];
}
