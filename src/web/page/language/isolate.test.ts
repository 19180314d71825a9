import { expect, test } from 'vitest';
import { isolate } from './isolate.ts';

test.each([
  ['plain “words” of 2026', 'plain “words” of 2026'],
  ['\u05d0\u05d1 1', '\u2068\u05d0\u05d1 1\u2069'],
  ['\u202eright to left', '\u2068\u202eright to left\u2069'],
  ['a\u2069b\u2069', '\u2068ab\u2069'],
  ['\u2067a', '\u2068\u2067a\u2069\u2069'],
  ['\u2066a\u2067b\u2069c', '\u2068\u2066a\u2067b\u2069c\u2069\u2069'],
  ['\u2067a\u2069\u2069b\u2068', '\u2068\u2067a\u2069b\u2068\u2069\u2069'],
])('%j is isolated as %j', (text, isolated) => expect(isolate(text)).toBe(isolated));
