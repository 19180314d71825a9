/** A byte range of a file; the end is exclusive. */
export interface ByteRange {
  readonly from: number;
  readonly end: number;
}

/** Returns the same bytes in as few ranges as possible, in order. */
export function mergeRanges(ranges: readonly ByteRange[]): ByteRange[] {
  const result: { from: number; end: number }[] = [];
  for (const { from, end } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last !== undefined && from <= last.end) last.end = Math.max(last.end, end);
    else if (end > from) result.push({ from, end });
  }
  return result;
}

/** Returns ranges in order; undefined if two of them overlap. */
export function inOrder<Range extends ByteRange>(ranges: readonly Range[]): Range[] | undefined {
  const sorted = ranges.toSorted((a, b) => a.from - b.from);
  return sorted.some(({ from }, at) => from < (sorted[at - 1]?.end ?? 0)) ? undefined : sorted;
}

/** Returns the bytes of a range that the other ranges, which are in order, do not contain. */
export function gapsIn({ from, end }: ByteRange, ranges: readonly ByteRange[]): ByteRange[] {
  const gaps: ByteRange[] = [];
  let at = from;
  for (const range of ranges) {
    if (at >= end) break;
    if (range.from > at) gaps.push({ from: at, end: Math.min(range.from, end) });
    at = Math.max(at, range.end);
  }
  if (at < end) gaps.push({ from: at, end });
  return gaps;
}

/** Returns the total number of bytes in the ranges. */
export function totalBytes(ranges: readonly ByteRange[]): number {
  return ranges.reduce((sum, { from, end }) => sum + end - from, 0);
}
