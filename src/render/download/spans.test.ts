import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../testing/runs.ts';
import { gapsIn, lengthOf, merged, type Span } from './spans.ts';

const size = 60;
const span = fc.tuple(fc.nat(size), fc.nat(size)).map(([a, b]) => ({ from: Math.min(a, b), end: Math.max(a, b) }));

/** The positions that spans hold, one by one. */
const positionsOf = (spans: readonly Span[]) =>
  new Set(spans.flatMap(({ from, end }) => Array.from({ length: end - from }, (_, index) => from + index)));

test('merged spans are the same bytes, in order and apart; their gaps are all others', () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 12 }), span, (spans, within) => {
      const found = merged(spans);
      expect([...positionsOf(found)].sort((a, b) => a - b)).toEqual([...positionsOf(spans)].sort((a, b) => a - b));
      expect(lengthOf(found)).toBe(positionsOf(spans).size);
      found.forEach((one, index) => {
        expect(one.from).toBeGreaterThan(found[index - 1]?.end ?? -1);
      });
      const gaps = gapsIn(within, found);
      const there = positionsOf(found);
      const missing = [...positionsOf([within])].filter((position) => !there.has(position));
      expect([...positionsOf(gaps)].sort((a, b) => a - b)).toEqual(missing.sort((a, b) => a - b));
      expect(gaps.every(({ from, end }) => from < end)).toBe(true);
    }),
    { seed: 3, numRuns: runs(500) },
  );
});
