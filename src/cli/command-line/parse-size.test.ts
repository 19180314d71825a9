import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import { UsageError } from '../errors/command-errors.ts';
import { parseSize } from './parse-size.ts';

describe('parseSize', () => {
  test.each([
    ['8MB', 8_000_000],
    ['8 mb', 8_000_000],
    ['8M', 8_000_000],
    ['500kB', 500_000],
    ['1.5GiB', 1_610_612_736],
    ['64KiB', 65_536],
    ['12345', 12_345],
    ['0.0015k', 1],
  ])('reads %s', (text, bytes) => {
    expect(parseSize('max-size', text)).toBe(bytes);
  });

  test.each(['', 'MB', '-8MB', '8XB', '0', '0.5', '1e6', '8MB8', '9999999999999999', '999999999999999GB', '8  MB'])(
    'refuses %j',
    (text) => {
      expect(() => parseSize('max-size', text)).toThrow('--max-size must be a size such as 8MB');
    },
  );

  test('returns a positive whole number for any text, or throws a UsageError', () => {
    const anyText = fc.oneof(fc.string(), fc.stringMatching(/^\d{1,6}(\.\d{1,3})? ?[kmg]?i?b?$/));
    fc.assert(
      fc.property(anyText, (text) => {
        try {
          expect(parseSize('max-size', text)).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
      { seed: 23, numRuns: propertyRuns(300) },
    );
  });
});
