import type { FileHandle } from 'node:fs/promises';
import type { ByteRange } from './byte-ranges.ts';
import { acquireBuffer, releaseBuffer, WRITE_BYTES } from './write-buffer-pool.ts';

/** How long chunks that arrive slowly are held: a process that dies would have to fetch them again. */
const BATCH_MS = 250;
/** Bytes that are held in memory while their place is not known yet. */
const MAX_HELD_BYTES = 8 * 1024 * 1024;

/** Accepts bytes that arrive in order; a step back to the first position starts over. */
export interface ByteWriter {
  /**
   * Accepts a chunk that belongs at `position`. Its bytes may change once this has returned. Await the promise, if any,
   * before the next chunk.
   */
  write(position: number, chunk: Buffer): undefined | Promise<undefined>;
  /** Settles when all accepted bytes are in their place, as far as that is possible before the end. */
  flush(): Promise<undefined>;
  /** Call it after the last chunk. Settles when all bytes are in their place. */
  finish(): Promise<undefined>;
}

/**
 * Creates a writer that puts bytes into their place in a file, many small chunks in one call. Its position 0 lies at
 * `fileOffset` of the file; where that is a promise, the sender is held back until it is known. `onWritten` is called with what
 * has been written, by its positions.
 */
export function createFileWriter(
  file: FileHandle,
  fileOffset: number | Promise<number>,
  onWritten?: (range: ByteRange) => void,
): ByteWriter {
  let buffers: Buffer<ArrayBuffer>[] = [];
  let size = 0;
  let start = 0;
  let batchStart = 0;
  let limit = WRITE_BYTES;
  if (typeof fileOffset !== 'number') {
    limit = MAX_HELD_BYTES;
    const onSettled = () => {
      limit = WRITE_BYTES;
    };
    // Its rejection is reported where it is awaited.
    fileOffset.then(onSettled, onSettled);
  }

  async function flush(): Promise<undefined> {
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

  /** Copies a chunk behind the others. */
  function append(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      const usedBytes = size % WRITE_BYTES;
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
      if (size === 0) batchStart = performance.now();
      append(chunk);
      const isOverdue = onWritten !== undefined && performance.now() - batchStart >= BATCH_MS;
      return size >= limit || isOverdue ? flush() : undefined;
    },
    flush,
    finish: flush,
  };
}

/** The bytes of buffers that are full, but for the last one. */
function sliceBuffers(buffers: readonly Buffer[], bytes: number): Buffer[] {
  return buffers.map((buffer, at) => buffer.subarray(0, Math.min(WRITE_BYTES, bytes - at * WRITE_BYTES)));
}

/** The last write of each file. */
const lastWrites = new WeakMap<FileHandle, Promise<unknown>>();

/**
 * One write to a file at a time: the system takes no more of them at once, and several threads that wait for it do so
 * spinning, which took 0.4 s of processor time for a gigabyte over eight connections (measured 2026-11-21).
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
