import { expect, test } from 'vitest';
import { attackText, endsWithin } from './attack.ts';
import { findPatterns } from './find-patterns.ts';
import { judge } from './judge.ts';
import { sourceFiles } from './source-files.ts';

const bounded = findPatterns(sourceFiles()).patterns.flatMap((pattern) => {
  const { maxLength } = pattern;
  return maxLength === undefined ? [] : [{ ...pattern, maxLength }];
});

test.each(bounded)('/$source/$flags ends on its attack of $maxLength characters', async (pattern) => {
  const verdict = await judge(pattern);
  if (verdict.kind !== 'slow') throw new Error('This pattern needs no bound: call its exec instead.');
  const text = attackText(verdict.attack, pattern.maxLength);
  expect(text.length).toBeGreaterThan(pattern.maxLength / 2);
  expect(endsWithin(5_000, pattern, text)).toBe(true);
});

test('a bound that is too high is noticed', () => {
  expect(endsWithin(200, { source: '^(a+)+$', flags: '' }, `${'a'.repeat(60)}b`)).toBe(false);
});
