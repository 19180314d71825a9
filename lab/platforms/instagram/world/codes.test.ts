import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codeOf, numberOf } from './codes.ts';
import { findPost, findPostByNumber } from './posts.ts';

test('codes are numbers in base 64', () => {
  expect(numberOf('DdG4RIxIPyf')).toBe('3983118388705688735');
  expect(codeOf('3983118388705688735')).toBe('DdG4RIxIPyf');
});

test('a code of the right form always returns the same post, as does its number', () => {
  fc.assert(
    // A code that begins with A, the digit zero, has the number of a shorter code.
    fc.property(fc.stringMatching(/^[B-Za-z0-9_-][A-Za-z0-9_-]{10}$/), (code) => {
      const post = findPost(code);
      expect(post?.code).toBe(code);
      expect(findPost(code)).toEqual(post);
      expect(findPost(`${code}${'x'.repeat(28)}`)).toEqual(post);
      expect(findPostByNumber(post?.pk ?? '')).toEqual(post);
    }),
    { seed: 2 },
  );
});

test('any other text is not a code', () => {
  for (const code of ['', 'abcd', 'a b c d e f', 'x'.repeat(65)]) expect(findPost(code)).toBeUndefined();
  for (const number of ['', 'x', '-1', '1'.repeat(26)]) expect(findPostByNumber(number)).toBeUndefined();
});
