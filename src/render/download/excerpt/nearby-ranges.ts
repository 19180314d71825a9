import { type ByteRange, mergeRanges } from '../byte-ranges.ts';

/** Gaps up to this size are fetched too: a further request would take longer. */
const minGapBytes = 64 * 1024;
/** Maximum number of ranges. Files that are not interleaved have one for each track. */
const maxRanges = 32;
/** Maximum number of ranges before they are joined. Joining them takes a few milliseconds. */
const maxPending = 16_384;

/** Ranges that contain those added, in as few requests as is reasonable. */
export interface CoveringRanges {
  /** Adds a range that is not empty. Ranges in the order of the file take the least time. */
  add(from: number, end: number): void;
  /** Returns the ranges in order. */
  ranges(): ByteRange[];
}

/** Creates covering ranges. Their memory does not depend on how many ranges are added. */
export function createCoveringRanges(): CoveringRanges {
  let pending: { from: number; end: number }[] = [];
  let gap = minGapBytes;

  /** Joins the ranges until there are at most `limit`, across larger gaps if necessary. */
  function join(limit: number): void {
    pending = joinNearby(mergeRanges(pending), gap);
    while (pending.length > limit) {
      gap *= 4;
      pending = joinNearby(pending, gap);
    }
  }

  return {
    add(from, end) {
      const last = pending.at(-1);
      if (last !== undefined && from >= last.from && from - last.end <= gap) {
        last.end = Math.max(last.end, end);
        return;
      }
      if (pending.length === maxPending) join(maxPending / 2);
      pending.push({ from, end });
    },
    ranges() {
      join(maxRanges);
      return pending;
    },
  };
}

function joinNearby(ranges: readonly ByteRange[], gap: number): { from: number; end: number }[] {
  const joined: { from: number; end: number }[] = [];
  for (const { from, end } of ranges) {
    const last = joined.at(-1);
    if (last !== undefined && from - last.end <= gap) last.end = end;
    else joined.push({ from, end });
  }
  return joined;
}
