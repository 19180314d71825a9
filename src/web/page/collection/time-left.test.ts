import { expect, test } from 'vitest';
import { timeLeft } from './time-left.ts';

test('the time left follows from the progress since the start', () => {
  expect(timeLeft({ at: 0, share: 0 }, { at: 10_000, share: 0.25 })).toBeCloseTo(30);
  expect(timeLeft({ at: 5_000, share: 0.5 }, { at: 15_000, share: 0.75 })).toBeCloseTo(10);
});

test('too little progress says nothing', () => {
  expect(timeLeft({ at: 0, share: 0 }, { at: 1_000, share: 0.5 })).toBeUndefined();
  expect(timeLeft({ at: 0, share: 0.5 }, { at: 60_000, share: 0.5 })).toBeUndefined();
});
