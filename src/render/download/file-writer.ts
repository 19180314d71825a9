import type { FileHandle } from 'node:fs/promises';

const BATCH_BYTES = 1024 * 1024;

/** Writes bytes that arrive in order to their place in a file, many small pieces in one call. */
export interface FileWriter {
  /** Takes a piece that belongs at `position`. The promise, if any, is to be awaited before the next one. */
  write(position: number, piece: Buffer): undefined | Promise<undefined>;
  /** Settles when all that was taken is in the file. */
  flush(): Promise<undefined>;
}

/** Makes a writer whose position 0 lies at `base` of the file; a promised base holds the sender back until it is known. */
export function createFileWriter(file: FileHandle, base: number | Promise<number>): FileWriter {
  let pieces: Buffer[] = [];
  let size = 0;
  let start = 0;

  async function flush(): Promise<undefined> {
    const batch = pieces;
    const at = start;
    pieces = [];
    start += size;
    size = 0;
    if (batch.length > 0) await writeAll(file, batch, (await base) + at);
  }

  return {
    write(position, piece) {
      if (position !== start + size) {
        return flush().then(() => {
          start = position;
          return this.write(position, piece);
        });
      }
      pieces.push(piece);
      size += piece.length;
      return size >= BATCH_BYTES ? flush() : undefined;
    },
    flush,
  };
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
