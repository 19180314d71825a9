import { expect, test } from 'vitest';
import { parsePriming } from './itunes-priming.ts';

test.each([
  [' 00000000 00000840 00000000 000000000008C3C0', 2112],
  ['00000000 00000840 000001ca 00000000003f31f6 00000000', 2112],
  ['00000000 0000084', 0],
  ['iTunes', 0],
  ['', 0],
])('the value %j states a priming of %d samples', (value, samples) => {
  expect(parsePriming(value)).toBe(samples);
});
