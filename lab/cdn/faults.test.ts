import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FaultError, faultTable, parseFaults } from './faults.ts';

const parse = (query: string) => parseFaults(new URLSearchParams(query));

describe('parseFaults', () => {
  test('reads faults and ignores other parameters', () => {
    expect(parse('sec=abc&throttle=1000&cut=5&noRanges=1&length=-3&token=t')).toEqual({
      throttle: 1000,
      cut: 5,
      noRanges: true,
      length: -3,
    });
    expect(parse('')).toEqual({});
    expect(parse('__proto__=1&constructor=2')).toEqual({});
  });

  test.each([
    'throttle=0',
    'throttle=fast',
    'hang=yes',
    'status=200',
    'redirectTo=/here',
    'redirectHost=a/b',
    'cut=1.5',
    'encoding=br',
    'endless=2',
    'bomb=0',
    'etagChange=0',
    'trickle=-1',
  ])('rejects %s and names the parameter', (query) => {
    expect(() => parse(query)).toThrow(FaultError);
    expect(() => parse(query)).toThrow(query);
  });

  test('returns faults or throws a FaultError for any query', () => {
    const name = fc.constantFrom(...Object.keys(faultTable));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.oneof(fc.string(), fc.integer().map(String)))), (pairs) => {
        try {
          parseFaults(new URLSearchParams(pairs));
        } catch (error) {
          expect(error).toBeInstanceOf(FaultError);
        }
      }),
      { seed: 1 },
    );
  });
});
