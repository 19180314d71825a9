import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseQueryRange, parseRange, shiftRange } from './range.ts';

describe('parseRange', () => {
  test.each([
    [undefined, 'whole'],
    ['bytes=0-9', { first: 0, last: 9 }],
    ['bytes=10-', { first: 10, last: 99 }],
    ['bytes=-10', { first: 90, last: 99 }],
    ['bytes=-1000', { first: 0, last: 99 }],
    ['bytes=90-1000', { first: 90, last: 99 }],
    ['bytes=99-99', { first: 99, last: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=9-1', 'whole'],
    ['bytes=0-1,5-6', 'whole'],
    ['bytes=-', 'whole'],
    ['lines=0-1', 'whole'],
    ['bytes=a-b', 'whole'],
  ])('reads %s of 100 bytes', (header, expected) => {
    expect(parseRange(header, 100)).toEqual(expected);
  });

  test('returns no range for an empty file', () => {
    expect(parseRange('bytes=0-', 0)).toBe('unsatisfiable');
    expect(parseRange('bytes=-5', 0)).toBe('unsatisfiable');
  });

  test('returns a range within the file for any header', () => {
    const header = fc.oneof(fc.string(), fc.stringMatching(/^bytes=\d{0,18}-\d{0,18}$/));
    fc.assert(
      fc.property(header, fc.nat(1000), (text, size) => {
        const range = parseRange(text, size);
        if (typeof range === 'string') return;
        expect(range.first).toBeGreaterThanOrEqual(0);
        expect(range.last).toBeGreaterThanOrEqual(range.first);
        expect(range.last).toBeLessThan(size);
      }),
      { seed: 1 },
    );
  });
});

describe('parseQueryRange', () => {
  test.each([
    ['0-9', { first: 0, last: 9 }],
    ['10-', { first: 10, last: 99 }],
    ['90-200', { first: 90, last: 99 }],
    ['100-200', 'unsatisfiable'],
    ['-10', 'malformed'],
    ['9-1', 'malformed'],
    ['', 'malformed'],
    ['bytes=0-9', 'malformed'],
  ])('reads the query form %s of 100 bytes', (text, expected) => {
    expect(parseQueryRange(text, 100)).toEqual(expected);
  });
});

test('shiftRange returns another existing range', () => {
  const ranges = fc.tuple(fc.nat(100), fc.nat(100), fc.integer({ min: 2, max: 200 }));
  fc.assert(
    fc.property(ranges, ([first, more, size]) => {
      fc.pre(first + more < size);
      const range = { first, last: first + more };
      const shifted = shiftRange(range, size);
      expect(shifted).not.toEqual(range);
      expect(shifted.first).toBeGreaterThanOrEqual(0);
      expect(shifted.last).toBeGreaterThanOrEqual(shifted.first);
      expect(shifted.last).toBeLessThan(size);
    }),
    { seed: 1 },
  );
});
