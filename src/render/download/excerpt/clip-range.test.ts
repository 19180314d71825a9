import { expect, test } from 'vitest';
import { excerptStarts } from './clip-range.ts';

test('excerpts of files that share a clock keep their distance', () => {
  const video = { sourceStart: 0.08, start: 18.08 };
  const audio = { sourceStart: 0, start: 10.03 };
  expect(excerptStarts([video, audio])).toEqual([18.08, 10.03]);
});

test('excerpts of files with separate clocks count from the beginning of each', () => {
  const late = { sourceStart: 30, start: 48 };
  const audio = { sourceStart: 0, start: 10 };
  expect(excerptStarts([late, audio])).toEqual([18, 10]);
});
