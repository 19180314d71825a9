import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sanitiseText } from '../../parsing/sanitise-text.ts';
import { sanitiseJson, sanitiseLine } from './sanitise.ts';

const dangerous = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const anything = fc.string({ unit: 'binary' });

describe('sanitiseText', () => {
  test.each([
    ['colours and cursors', 'a\u001b[31mb\u001b[2Jc', 'a [31mb [2Jc'],
    ['a window title', 'a\u001b]0;b\u0007c', 'a ]0;b c'],
    ['eight-bit controls', 'a\u009b31mb', 'a 31mb'],
    ['reversed text', 'a\u202egpj.exe\u202c \u2066b\u2069', 'a gpj.exe   b '],
    ['a carriage return', 'fine\rWRONG', 'fine WRONG'],
    ['lines, tabs and Windows line endings', 'a\tb\r\nc\n', 'a\tb\nc\n'],
    ['line separators', 'a\u2028b\u2029c', 'a b c'],
    ['scripts and emoji with joiners', 'می\u200cخواهم 👩\u200d🔬', 'می\u200cخواهم 👩\u200d🔬'],
  ])('handles %s', (_, text, safeText) => {
    expect(sanitiseText(text)).toBe(safeText);
  });

  test('returns only safe characters for any text', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(sanitiseText(text)).not.toMatch(dangerous);
        expect(sanitiseLine(text)).not.toMatch(/[\n\t]/);
      }),
      { seed: 1 },
    );
  });
});

test('sanitiseJson returns only safe characters and the same value', () => {
  fc.assert(
    fc.property(fc.dictionary(anything, fc.array(anything)), fc.constantFrom(undefined, 2), (value, indent) => {
      const json = sanitiseJson(value, indent);
      expect(json).not.toMatch(dangerous);
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { seed: 1 },
  );
});
