import type { FileRange, HashedPart } from '../../files/hashing/hasher.ts';
import type { ByteRange } from './byte-ranges.ts';
import type { FragmentedFileHead } from './fragment-placer.ts';
import type { ScatteredRange } from './scatter-writer.ts';

/** An input whose fragments are written into the result. */
interface PlacedInput {
  /** Path of the result. */
  readonly path: string;
  readonly fileHead: FragmentedFileHead;
  /** The fragments of this input, in order and contiguous. */
  readonly ranges: readonly ScatteredRange[];
  /** Ranges of the input that an earlier run has stored. */
  readonly storedRanges: readonly ByteRange[];
}

/** Returns the position after the last fragment of an input. Bytes after it are never fetched. */
export function endOfFragments(ranges: readonly ScatteredRange[]): number {
  return (ranges.at(-1)?.to ?? -1) + 1;
}

/** Returns where the bytes of a range of an input are in the result at a path, as far as they are in a fragment. */
export function partsInResult(path: string, ranges: readonly ScatteredRange[], { from, end }: ByteRange): FileRange[] {
  return ranges.flatMap((range) => {
    const [first, last] = [Math.max(from, range.from), Math.min(end, range.to + 1)];
    if (first >= last) return [];
    return [{ path, position: range.destination + first - range.from, length: last - first }];
  });
}

/**
 * Returns where the bytes of an input are up to its last fragment: its head in memory, and the rest scattered in the
 * result.
 */
export function placedInput({ path, fileHead: { head }, ranges, storedRanges }: PlacedInput): {
  partsOf(range: ByteRange): HashedPart[];
  readonly storedRanges: readonly ByteRange[];
} {
  const fragmentsEnd = endOfFragments(ranges);
  const known = [{ from: 0, end: head.length }, ...storedRanges].filter(({ from }) => from < fragmentsEnd);
  return {
    storedRanges: known.map(({ from, end }) => ({ from, end: Math.min(end, fragmentsEnd) })),
    partsOf({ from, end }) {
      const inMemory = head.subarray(from, end);
      const inResult = partsInResult(path, ranges, { from: from + inMemory.length, end });
      return inMemory.length === 0 ? inResult : [inMemory, ...inResult];
    },
  };
}
