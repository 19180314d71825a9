import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import { type ByteRange, gapsIn, mergeRanges, totalBytes } from './byte-ranges.ts';

const size = 60;
const range = fc.tuple(fc.nat(size), fc.nat(size)).map(([a, b]) => ({ from: Math.min(a, b), end: Math.max(a, b) }));

/** Returns every position that the ranges contain. */
const positionsOf = (ranges: readonly ByteRange[]) =>
  new Set(ranges.flatMap(({ from, end }) => Array.from({ length: end - from }, (_, index) => from + index)));

test('merges ranges into ordered, separate ones with the same bytes, and returns the rest as gaps', () => {
  fc.assert(
    fc.property(fc.array(range, { maxLength: 12 }), range, (ranges, within) => {
      const mergedRanges = mergeRanges(ranges);
      expect([...positionsOf(mergedRanges)].sort((a, b) => a - b)).toEqual(
        [...positionsOf(ranges)].sort((a, b) => a - b),
      );
      expect(totalBytes(mergedRanges)).toBe(positionsOf(ranges).size);
      mergedRanges.forEach((one, index) => {
        expect(one.from).toBeGreaterThan(mergedRanges[index - 1]?.end ?? -1);
      });
      const gaps = gapsIn(within, mergedRanges);
      const coveredPositions = positionsOf(mergedRanges);
      const missing = [...positionsOf([within])].filter((position) => !coveredPositions.has(position));
      expect([...positionsOf(gaps)].sort((a, b) => a - b)).toEqual(missing.sort((a, b) => a - b));
      expect(gaps.every(({ from, end }) => from < end)).toBe(true);
    }),
    { seed: 3, numRuns: propertyRuns(500) },
  );
});
