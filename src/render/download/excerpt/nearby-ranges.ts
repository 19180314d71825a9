import { type ByteRange, mergeRanges } from '../byte-ranges.ts';

/** Gaps up to this size are fetched too: a further request would take longer. */
const minGapBytes = 64 * 1024;
/** Maximum number of ranges. Files that are not interleaved have one for each track. */
const maxRanges = 32;

/** Returns ranges that contain the given ones, in as few requests as is reasonable, in order. */
export function coverRanges(ranges: readonly ByteRange[]): ByteRange[] {
  const merged = mergeRanges(ranges);
  let gap = minGapBytes;
  let covering = joinNearby(merged, gap);
  while (covering.length > maxRanges) {
    gap *= 4;
    covering = joinNearby(covering, gap);
  }
  return covering;
}

function joinNearby(ranges: readonly ByteRange[], gap: number): ByteRange[] {
  const joined: { from: number; end: number }[] = [];
  for (const { from, end } of ranges) {
    const last = joined.at(-1);
    if (last !== undefined && from - last.end <= gap) last.end = end;
    else joined.push({ from, end });
  }
  return joined;
}
