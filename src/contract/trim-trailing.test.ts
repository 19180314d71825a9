import { expect, test } from 'vitest';
import { trimTrailing } from './trim-trailing.ts';

test.each([
  ['a.b...', '.', 'a.b'],
  ['...a', '.', '...a'],
  ['see (a, b).', '.,)', 'see (a, b'],
  ['...', '.', ''],
  ['', '.', ''],
  ['a.', '', 'a.'],
])('%j without trailing %j is %j', (text, characters, expected) => {
  expect(trimTrailing(text, characters)).toBe(expected);
});
