import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { propertyRuns } from '../testing/property-runs.ts';
import { validUrl } from './parse-url.ts';
import { isRepeated, queryParameter, removeParameters, setParameters } from './query-parameters.ts';

const at = (query: string) => validUrl(`https://site.example/a${query}#b`);

/** Queries of pieces that encode the same names and values in many ways, and of invalid ones. */
const queries = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '&',
        '=',
        '?',
        '+',
        '%',
        '%2',
        '%26',
        '%3D',
        '%2B',
        '%25',
        '%00',
        '%ff',
        '%c3%a9',
        'é',
        '#',
        '\t',
      ),
      fc.constantFrom('a', '%61', '%4', '%41', '%5F', 'a_1', '%61_1', '%6', '1', '-', 'oe', '&a=', '&%61=', '&oe', 'A'),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => at(`?${pieces.join('')}`));
const names = fc.oneof(fc.constantFrom('a', 'A', 'a_1', 'oe', '1', '-'), fc.stringMatching(/^[\w-]{1,3}$/));

describe('a query', () => {
  it('has the parameters that URLSearchParams reads', () => {
    const property = fc.property(queries, names, (url, name) => {
      const [first, ...more] = url.searchParams.getAll(name);
      expect(queryParameter(url, name)).toBe(first);
      expect(isRepeated(url, name)).toBe(more.length > 0);
    });
    fc.assert(property, { numRuns: propertyRuns(10_000), seed: 1 });
  });

  it('keeps all other parameters when some are removed or set', () => {
    const property = fc.property(queries, names, fc.string({ unit: 'binary' }), (url, name, value) => {
      const others = [...url.searchParams].filter(([each]) => each !== name);
      removeParameters(url, (each) => each === name);
      expect([...url.searchParams]).toEqual(others);
      setParameters(url, { [name]: value });
      setParameters(url, { [name]: value });
      expect([...url.searchParams]).toEqual([...others, ...new URLSearchParams({ [name]: value })]);
    });
    fc.assert(property, { numRuns: propertyRuns(5_000), seed: 1 });
  });
});

test.each([
  ['', undefined],
  ['?', undefined],
  ['?a', ''],
  ['?a&a=1', ''],
  ['?b=a=1&a=2=3', '2=3'],
  ['?ab=1&ba=2&A=3', undefined],
  ['?%61=%c3%A9+%2B%zz', 'é +%zz'],
  ['?%6&%6=1&%=2&a=%ff', '\ufffd'],
])('the parameter in %s is %j', (query, value) => {
  expect(queryParameter(at(query), 'a')).toBe(value);
});

test('other parameters remain as they are written', () => {
  const url = at('?b=%2c,~*%20+&a=1&&c&%61=2');
  setParameters(url, { a: '&' });
  expect(url.href).toBe('https://site.example/a?b=%2c,~*%20+&c&a=%26#b');
  removeParameters(url, () => true);
  expect(url.href).toBe('https://site.example/a#b');
});

test('of a query of more than 200 parameters, only the first ones remain after a change', () => {
  const url = at(`?${'a&'.repeat(32_000)}`);
  setParameters(url, { b: '1' });
  expect(url.search).toBe(`?${'a&'.repeat(200)}b=1`);
});
