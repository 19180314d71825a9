import { expect, test } from 'vitest';
import { readOptions } from './options.ts';
import { schedulePoints, scheduleShort } from './schedule.ts';

test('runs a hundred points of seed 1 by default', () => {
  expect(readOptions([])).toEqual({ seed: 1, short: false, points: schedulePoints(1, 100), out: 'data/chaos' });
});

test('runs only the selected points of a seed, including points above the value of --points', () => {
  expect(readOptions(['--seed', '5', '--only', '17']).points).toEqual([schedulePoints(5, 17).at(-1)]);
  expect(readOptions(['--points', '3', '--only', '117']).points).toEqual([schedulePoints(1, 117).at(-1)]);
  expect(readOptions(['--only', '2,4']).points.map(({ number }) => number)).toEqual([2, 4]);
  expect(readOptions(['--short', '--only', '2']).points).toEqual([scheduleShort(1)[1]]);
});

test.each([['--seed', '0'], ['--points', 'many'], ['--only', '1,-1'], ['--short', '--only', '9'], ['--what'], ['now']])(
  'prints the usage for %s %s',
  (...parameters) => {
    expect(() => readOptions(parameters.filter((text) => text !== undefined))).toThrow(/Usage: npm run chaos/);
  },
);
