import type { FileHandle } from 'node:fs/promises';
import type { ByteRange } from './byte-ranges.ts';
import { type ByteWriter, createFileWriter } from './file-writer.ts';

/** Bytes of a source, and their place in a file. */
export interface ScatteredRange {
  /** Position of the first and of the last byte in the source. */
  readonly from: number;
  readonly to: number;
  /** Position of the first byte in the file. */
  readonly destination: number;
}

/**
 * Creates a writer that puts each range of a source in its own place. The ranges are in order and without a gap.
 * `onWritten` is called with what has been written, by its positions in the source.
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
    if (range === undefined) throw new Error(`position ${position} has no place`);
    return { range, writer: createFileWriter(file, range.destination - range.from, onWritten) };
  };
  /** The ranges are written at the same time: each has a writer of its own, which copies its bytes. */
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

/** The last range that begins at or before a position. */
function findRange(ranges: readonly ScatteredRange[], position: number): number {
  let [low, high] = [0, ranges.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((ranges[middle]?.from ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}
