import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MOST_TRIES, pauseAfter } from './pauses.ts';

test('there are eight tries within a day, each pause longer than the one before', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }), (dice) => {
      const pauses = dice.map((random, at) => pauseAfter(at + 1, random)).filter((pause) => pause !== undefined);
      expect(pauses).toHaveLength(MOST_TRIES - 1);
      expect(pauses.toSorted((one, other) => one - other)).toEqual(pauses);
      expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThan(24 * 3_600_000);
    }),
    { seed: 8 },
  );
  expect([pauseAfter(1, 0), pauseAfter(8), pauseAfter(9)]).toEqual([2_000, undefined, undefined]);
});
