import type { FileHandle } from 'node:fs/promises';
import type { ByteRange } from './byte-ranges.ts';
import { type ByteWriter, createFileWriter } from './file-writer.ts';

/** A byte range of a source, and its destination in a file. */
export interface ScatteredRange {
  /** Positions of the first and last byte in the source. */
  readonly from: number;
  readonly to: number;
  /** Position of the first byte in the file. */
  readonly destination: number;
}

/**
 * Creates a writer that writes each range of a source to its own destination. The ranges are in order and contiguous.
 * `onWritten` is called with the source positions that have been written.
 */
export function createScatterWriter(
  file: FileHandle,
  ranges: readonly ScatteredRange[],
  onWritten?: (range: ByteRange) => void,
): ByteWriter {
  let current: { readonly range: ScatteredRange; readonly writer: ByteWriter } | undefined;

  const writerAt = (position: number) => {
    if (current !== undefined && position >= current.range.from && position <= current.range.to) return current;
    const range = ranges[findRange(ranges, position)];
    if (range === undefined) throw new Error(`position ${position} has no destination`);
    return { range, writer: createFileWriter(file, range.destination - range.from, onWritten) };
  };
  /**
   * Writes a chunk that may span several ranges. The ranges are written concurrently: each has its own writer, which
   * copies its bytes.
   */
  function writeAcross(position: number, chunk: Buffer): undefined | Promise<undefined> {
    const writing: Promise<undefined>[] = [];
    for (let at = 0; at < chunk.length; ) {
      const next = writerAt(position + at);
      if (next !== current && current !== undefined) writing.push(current.writer.flush());
      current = next;
      const part = chunk.subarray(at, next.range.to + 1 - position);
      const write = next.writer.write(position + at, part);
      if (write !== undefined) writing.push(write);
      at += part.length;
    }
    return writing.length === 0 ? undefined : Promise.all(writing).then(() => undefined);
  }
  const flush = async (): Promise<undefined> => current?.writer.flush();
  return {
    write(position, chunk) {
      const inOne =
        current !== undefined && position >= current.range.from && position + chunk.length - 1 <= current.range.to;
      return inOne ? current?.writer.write(position, chunk) : writeAcross(position, chunk);
    },
    flush,
    finish: flush,
  };
}

/** Returns the index of the last range that starts at or before a position. */
function findRange(ranges: readonly ScatteredRange[], position: number): number {
  let [low, high] = [0, ranges.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((ranges[middle]?.from ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}
