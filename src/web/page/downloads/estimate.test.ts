import { expect, test } from 'vitest';
import { addSample, estimate, type Sample } from './estimate.ts';

const run = (...moves: [seconds: number, progress: number][]) =>
  moves.reduce<readonly Sample[]>((samples, [at, progress]) => addSample(samples, { at: at * 1_000, progress }), []);

test('estimates nothing from too few or too slow samples', () => {
  expect(estimate([], 100)).toEqual({});
  expect(estimate(run([0, 0]), 100)).toEqual({});
  expect(estimate(run([0, 0], [1, 20]), 100)).toEqual({});
  expect(estimate(run([0, 0], [5, 2]), 100)).toEqual({});
});

test('time left follows the current speed; speed counts fetched bytes only in the first half of the progress', () => {
  expect(estimate(run([0, 0], [1, 5], [2, 10]), 10_000)).toEqual({ secondsLeft: 18, bytesPerSecond: 1_000 });
  expect(estimate(run([0, 0], [2, 10]), undefined)).toEqual({ secondsLeft: 18 });
  expect(estimate(run([0, 40], [2, 60]), 10_000)).toEqual({ secondsLeft: 4 });
});

test('only the last seconds count, and a restart resets the estimate', () => {
  expect(estimate(run([0, 0], [100, 10], [102, 20]), undefined)).toEqual({ secondsLeft: 16 });
  expect(run([0, 30], [1, 0], [2, 1]).map(({ progress }) => progress)).toEqual([0, 1]);
});
