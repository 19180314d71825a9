import { expect, test } from 'vitest';
import { boundedPattern } from './bounded-pattern.ts';

test('a bounded pattern matches texts up to its maximum length only', () => {
  const match = boundedPattern(/^(a+)$/, 3);
  expect(match('aaa')?.[1]).toBe('aaa');
  expect(match('aab')).toBe(null);
  expect(match('aaaa')).toBe(null);
});
