import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMessageSplitter } from './message-splitter.ts';

/** Splits parts of a stream, and returns the pieces. */
function split(parts: readonly string[]): string[] {
  const splitter = createMessageSplitter();
  const pieces: string[] = [];
  for (const part of parts) {
    for (let rest = Buffer.from(part); rest.length > 0; ) {
      const length = splitter.next(rest);
      pieces.push(rest.toString('utf8', 0, length));
      rest = rest.subarray(length);
    }
  }
  return pieces;
}

describe('a splitter', () => {
  test.each([
    [['a\r\n\r\nb\r\n\r\nc'], ['a\r\n\r\n', 'b\r\n\r\n', 'c']],
    [
      ['a\r\n\r', '\nb'],
      ['a\r\n\r', '\n', 'b'],
    ],
    [
      ['a\r\n', '\r\nb'],
      ['a\r\n', '\r\n', 'b'],
    ],
    [
      ['a\r', '\n', '\r', '\nb'],
      ['a\r', '\n', '\r', '\n', 'b'],
    ],
    [
      ['a\r\n\r', '\r\n\r\nb'],
      ['a\r\n\r', '\r\n\r\n', 'b'],
    ],
    [
      ['a\r', '\r\n\r\nb'],
      ['a\r', '\r\n\r\n', 'b'],
    ],
  ])('cuts %j behind each empty line', (parts, pieces) => {
    expect(split(parts)).toEqual(pieces);
  });

  test('ends a piece at each empty line, wherever the bytes are cut', () => {
    const stream = fc.string({ unit: fc.constantFrom('\r', '\n', 'a'), minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.array(stream, { minLength: 1, maxLength: 6 }), (parts) => {
        const pieces = split(parts);
        const whole = parts.join('');
        expect(pieces.join('')).toBe(whole);
        let position = 0;
        const ends = new Set(pieces.map((piece) => (position += piece.length)));
        for (let at = whole.indexOf('\r\n\r\n'); at >= 0; at = whole.indexOf('\r\n\r\n', at + 4))
          expect(ends).toContain(at + 4);
      }),
    );
  });

  test('cuts behind the stated length of a body, but not in it', () => {
    const splitter = createMessageSplitter();
    expect(splitter.next(Buffer.from('a\r\n\r\n'))).toBe(5);
    splitter.beginBody({ 'content-length': '6' });
    expect(splitter.next(Buffer.from('\r\n\r\n'))).toBe(4);
    expect(splitter.next(Buffer.from('xxb\r\n\r\n'))).toBe(2);
    expect(splitter.next(Buffer.from('b\r\n\r\nc'))).toBe(5);
  });
});
