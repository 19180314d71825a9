import { expect, test } from 'vitest';
import { trimTrailing } from './trim-trailing.ts';

test.each([
  ['a.b...', '.', 'a.b'],
  ['...a', '.', '...a'],
  ['see (a, b).', '.,)', 'see (a, b'],
  ['...', '.', ''],
  ['', '.', ''],
  ['a.', '', 'a.'],
])('trimTrailing of %j with the characters %j returns %j', (text, characters, expected) => {
  expect(trimTrailing(text, characters)).toBe(expected);
});
