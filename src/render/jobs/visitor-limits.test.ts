import { expect, test } from 'vitest';
import { readVisitorLimits } from './visitor-limits.ts';

test('readVisitorLimits reads limits and rejects other texts', () => {
  expect(readVisitorLimits('3/50')).toEqual({ atOnce: 3, perDay: 50 });
  for (const text of ['', '3', '0/1', '1/0', '-1/2', '1.5/2', 'off', '3/50/10']) {
    expect(() => readVisitorLimits(text)).toThrow('must be jobs at once and jobs a day');
  }
});
