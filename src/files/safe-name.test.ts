import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../testing/property-runs.ts';
import { safeName } from './safe-name.ts';

const nameOf = (text: string, maxBytes = 180) => safeName(text, '.mp4', maxBytes);

describe('a name keeps', () => {
  test.each([
    ['an emoji family', 'Us \u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
    ['an emoji with a skin colour and a joiner', '\u{1f469}\u{1f3fd}\u200d\u{1f692}'],
    ['a heart on fire', '\u2764\ufe0f\u200d\u{1f525}'],
    ['the flag of a country', '\u{1f1eb}\u{1f1f7}'],
    ['the flag of Scotland', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
    ['a Persian word with a non-joiner', 'می\u200cخواهم'],
    ['a Hindi word with a joiner', 'क्\u200dष'],
    ['a Malayalam word with a non-joiner', 'അവന്\u200cറെ'],
    ['a character that is newer than the tables of the runtime', 'new \u{1fae9}\u{323b0}\u{1fc00}'],
    ['an Arabic number sign', '\u0600١٢٣'],
  ])('%s', (_what, text) => {
    expect(nameOf(text)).toBe(text.normalize('NFC'));
  });
});

describe('a name loses', () => {
  test.each([
    ['joiners in words that need none', 'pay\u200dpal\u200c', 'paypal'],
    ['joiners at its ends', '\u200dمی\u200c', 'می'],
    ['marks that reverse text', 'a\u202eb\u2066c', 'abc'],
    ['the letters of flags without a flag', 'a\u{e0067}\u{e007f}b', 'ab'],
    ['line separators and control characters', 'a\u2028b\u0000c', 'abc'],
    ['codes that are no characters', 'a\ufffe\ufdd0b', 'ab'],
    ['characters of private use', 'a\ue000b', 'ab'],
    ['dots and spaces at its end', 'a. . .', 'a'],
    ['its extension', 'a.MP4', 'a'],
  ])('%s', (_what, text, expected) => {
    expect(nameOf(text)).toBe(expected);
  });
});

test.each([
  ['con', '_con'],
  ['LPT¹.txt', '_LPT¹.txt'],
  ['console', 'console'],
])('the name %s becomes %s', (text, expected) => {
  expect(nameOf(text)).toBe(expected);
});

test('a name is cut between characters as people count them, and then ends in no dot or space', () => {
  const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';
  expect(nameOf(family.repeat(3), 4 + 2 * Buffer.byteLength(family) + 5)).toBe(family.repeat(2));
  expect(nameOf('ab . cde', 8)).toBe('ab');
  expect(nameOf(`a${'\u0301'.repeat(500)}`, 12)).toBe(`á${'\u0301'.repeat(3)}`);
});

test('any name fits, has no folder, ends in no dot or space, and is safe unchanged', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\u200d', '\u200c', '\u{1f468}', '\ufe0f', 'می', '.', ' ', '/', '\\', '\u{1f3f4}', '\u{e0067}'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 10, max: 60 }), (pieces, maxBytes) => {
      const name = nameOf(pieces.join(''), maxBytes);
      expect(Buffer.byteLength(`${name}.mp4`)).toBeLessThanOrEqual(maxBytes);
      expect(name).not.toMatch(/[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]|[. ]$|^[. ]/u);
      expect(name.isWellFormed()).toBe(true);
      expect(nameOf(name, maxBytes)).toBe(name);
    }),
    { seed: 50, numRuns: propertyRuns(1000) },
  );
});

test('a joiner between digits is removed', () => {
  expect(safeName('1\u200d2', '.mp4', 100)).toBe('12');
});
