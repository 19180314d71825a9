import { expect, test } from 'vitest';
import { mostOf } from './survey.ts';

test.each([
  [0, 1],
  [1, 1],
  [39, 1],
  [40, 2],
  [1_000, 50],
  [2_000, 100],
  [1_000_000, 100],
])('of %i files at most %i may go at once', (files, most) => {
  expect(mostOf(files)).toBe(most);
});
