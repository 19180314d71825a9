/** @module-tag long */

import { expect, test } from 'vitest';
import { sourceFiles } from '../syntax/source-files.ts';
import { judge } from '../tools/judge.ts';
import { attackText, endsWithin } from './attack.ts';
import { findPatterns } from './find-patterns.ts';

const bounded = findPatterns(sourceFiles()).patterns.flatMap((pattern) => {
  const { maxLength } = pattern;
  return maxLength === undefined ? [] : [{ ...pattern, maxLength }];
});

test.each(bounded)(
  'matching /$source/$flags against its attack of $maxLength characters ends in time',
  async (pattern) => {
    const verdict = await judge(pattern);
    if (verdict.kind !== 'slow') throw new Error('This pattern needs no bound: call its exec instead.');
    const text = attackText(verdict.attack, pattern.maxLength);
    expect(text.length).toBeGreaterThan(pattern.maxLength / 2);
    expect(endsWithin(5_000, pattern, text)).toBe(true);
  },
);

test('matching a pattern whose bound is too high does not end in time', () => {
  expect(endsWithin(200, { source: '^(a+)+$', flags: '' }, `${'a'.repeat(60)}b`)).toBe(false);
});
