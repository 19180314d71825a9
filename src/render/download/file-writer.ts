import type { FileHandle } from 'node:fs/promises';
import type { ByteRange } from './byte-ranges.ts';
import { giveBuffer, takeBuffer, WRITE_BYTES } from './write-buffers.ts';

/** How long pieces that arrive slowly are held: what a process that dies would have to fetch again. */
const BATCH_MS = 250;
/** Bytes that are held in memory while their place is not known yet. */
const HELD_BYTES = 8 * 1024 * 1024;

/** Takes bytes that arrive in order; a step back to the first position begins anew. */
export interface ByteWriter {
  /**
   * Takes a piece that belongs at `position`. Its bytes may change once this has returned. The promise, if any, is to be
   * awaited before the next piece.
   */
  write(position: number, piece: Buffer): undefined | Promise<undefined>;
  /** Settles when all that was taken is where it belongs, as far as that can be before the end. */
  flush(): Promise<undefined>;
  /** To be called when everything was taken; settles when it is where it belongs. */
  finish(): Promise<undefined>;
}

/**
 * Makes a writer that puts bytes into their place in a file, many small pieces in one call. Its position 0 lies at
 * `base` of the file; where that is a promise, the sender is held back until it is known. `onWritten` hears what has
 * been written, by its positions.
 */
export function createFileWriter(
  file: FileHandle,
  base: number | Promise<number>,
  onWritten?: (span: ByteRange) => void,
): ByteWriter {
  let buffers: Buffer<ArrayBuffer>[] = [];
  let size = 0;
  let start = 0;
  let begun = 0;
  let limit = WRITE_BYTES;
  if (typeof base !== 'number') {
    limit = HELD_BYTES;
    const settled = () => {
      limit = WRITE_BYTES;
    };
    // Why a place will never be known is told where it is awaited.
    base.then(settled, settled);
  }

  async function flush(): Promise<undefined> {
    const [taken, at, bytes] = [buffers, start, size];
    buffers = [];
    start += size;
    size = 0;
    if (bytes === 0) return;
    try {
      await inTurn(file, filled(taken, bytes), (await base) + at);
      onWritten?.({ from: at, end: at + bytes });
    } finally {
      taken.forEach(giveBuffer);
    }
  }

  /** Copies a piece behind the others. */
  function keep(piece: Buffer): void {
    for (let at = 0; at < piece.length; ) {
      const used = size % WRITE_BYTES;
      if (used === 0) buffers.push(takeBuffer());
      const copied = piece.copy(buffers.at(-1) ?? piece, used, at);
      at += copied;
      size += copied;
    }
  }

  return {
    write(position, piece) {
      if (size === 0) start = position;
      if (position !== start + size) {
        const own = Buffer.from(piece);
        return flush().then(() => {
          start = position;
          return this.write(position, own);
        });
      }
      if (size === 0) begun = performance.now();
      keep(piece);
      const late = onWritten !== undefined && performance.now() - begun >= BATCH_MS;
      return size >= limit || late ? flush() : undefined;
    },
    flush,
    finish: flush,
  };
}

/** The bytes of buffers that are full, but for the last one. */
function filled(buffers: readonly Buffer[], bytes: number): Buffer[] {
  return buffers.map((buffer, at) => buffer.subarray(0, Math.min(WRITE_BYTES, bytes - at * WRITE_BYTES)));
}

/** The last write that was asked of a file. */
const writes = new WeakMap<FileHandle, Promise<unknown>>();

/**
 * One write to a file at a time: the system takes no more of them at once, and several threads that wait for it do so
 * spinning, which took 0.4 s of processor time for a gigabyte over eight connections (measured 2026-11-21).
 */
function inTurn(file: FileHandle, batch: readonly Buffer[], at: number): Promise<void> {
  const write = () => writeAll(file, batch, at);
  const turn = (writes.get(file) ?? Promise.resolve()).then(write, write);
  writes.set(file, turn);
  return turn;
}

async function writeAll(file: FileHandle, batch: readonly Buffer[], at: number): Promise<void> {
  let rest = batch;
  let position = at;
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest, position);
    position += bytesWritten;
    rest = after(rest, bytesWritten);
  }
}

function after(batch: readonly Buffer[], written: number): readonly Buffer[] {
  let skip = written;
  let index = 0;
  for (let piece = batch[index]; piece !== undefined && skip >= piece.length; piece = batch[index]) {
    skip -= piece.length;
    index += 1;
  }
  const [first, ...others] = batch.slice(index);
  return first === undefined ? [] : [first.subarray(skip), ...others];
}
