import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listValues } from './list-values.ts';

describe('the values of a csv parameter', () => {
  test.each([
    [undefined, []],
    ['', []],
    [' , ', []],
    ['a', ['a']],
    ['a, b,,a', ['a', 'b']],
    [
      ['b', 'a,b', ''],
      ['b', 'a'],
    ],
  ])('of %j are %j', (value, expected) => expect(listValues(value)).toEqual(expected));

  test('are the same in one list, repeated, and in any mixture of both', () => {
    const lists = fc.array(fc.array(fc.constantFrom('a', 'b', ' c', 'd ', ''), { maxLength: 4 }), { maxLength: 4 });
    fc.assert(
      fc.property(lists, (mixed) => {
        const values = listValues(mixed.flat());
        expect(listValues(mixed.flat().join(','))).toEqual(values);
        expect(listValues(mixed.map((list) => list.join(',')))).toEqual(values);
      }),
      { seed: 1 },
    );
  });
});
