import fc from 'fast-check';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { countryCodeParameter, langParameter, renderableFormatsParameter } from '../../contract/parameters.ts';
import { type QueryParameters, readParameters } from './read-parameters.ts';

const schema = Type.Object({
  id: Type.String({ pattern: '^[a-z]{1,5}$', description: 'The id: 1 to 5 letters.' }),
  sort: Type.Optional(Type.Enum(['new', 'old'], { description: 'new or old.' })),
  lang: Type.Optional(langParameter),
  countryCode: Type.Optional(countryCodeParameter),
  renderableFormats: Type.Optional(
    renderableFormatsParameter(Type.String({ pattern: '^(?:all|[0-9]+)$' }), 'Formats.'),
  ),
});

function faultOf(query: QueryParameters) {
  try {
    return readParameters(schema, query);
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    return [error.code, error.parameter];
  }
}

test.each<[string, QueryParameters, unknown]>([
  ['known parameters', { id: 'abc', other: '1' }, { id: 'abc' }],
  ['empty values as absent', { id: ' abc ', sort: '', lang: ' ' }, { id: 'abc' }],
  ['codes in any case', { id: 'a', lang: 'EN', countryCode: 'fr' }, { id: 'a', lang: 'en', countryCode: 'FR' }],
  ['worldwide', { id: 'a', countryCode: 'WORLDWIDE' }, { id: 'a', countryCode: 'worldwide' }],
  [
    'lists without duplicates',
    { id: 'a', renderableFormats: 'all, 720,,720' },
    { id: 'a', renderableFormats: ['all', '720'] },
  ],
  [
    'repeated lists as one list',
    { id: 'a', renderableFormats: ['all', '720,all', ' '] },
    { id: 'a', renderableFormats: ['all', '720'] },
  ],
  ['lists without values as absent', { id: 'a', renderableFormats: ', ,' }, { id: 'a' }],
  ['repeated lists without values as absent', { id: 'a', renderableFormats: ['', ' '] }, { id: 'a' }],
  ['no id', {}, ['params_not_found', 'id']],
  ['a bad id', { id: 'ABC' }, ['invalid_params', 'id']],
  ['an id twice', { id: ['a', 'b'] }, ['invalid_params', 'id']],
  ['an unknown value', { id: 'a', sort: 'best' }, ['invalid_params', 'sort']],
  ['an unknown value in a list', { id: 'a', renderableFormats: '720,huge' }, ['invalid_params', 'renderableFormats']],
  [
    'an unknown value in a repeated list',
    { id: 'a', renderableFormats: ['720', 'huge'] },
    ['invalid_params', 'renderableFormats'],
  ],
  ['an unknown country', { id: 'a', countryCode: 'ZZ' }, ['invalid_params', 'countryCode']],
])('readParameters handles %s', (_name, query, expected) => expect(faultOf(query)).toEqual(expected));

test('the error message states the allowed values of a parameter', () => {
  expect(() => readParameters(schema, { id: '1' })).toThrow('id cannot be "1". The id: 1 to 5 letters.');
  expect(() => readParameters(schema, {})).toThrow('The parameter id is missing. The id: 1 to 5 letters.');
});

test('readParameters accepts or rejects any query', () => {
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.array(fc.string()));
  const names = fc.constantFrom('id', 'sort', 'lang', 'countryCode', 'renderableFormats', '__proto__', 'x');
  fc.assert(
    fc.property(fc.dictionary(names, value), (query) => {
      faultOf(query);
    }),
    { seed: 1 },
  );
});
