import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { createArgumentReader } from './read-arguments.ts';

const read = createArgumentReader(
  Type.Object(
    {
      query: Type.String({ pattern: '^[a-z]+$' }),
      features: Type.Optional(Type.Array(Type.Enum(['hd', 'live']), { uniqueItems: true })),
      job: Type.Optional(Type.Object({ inputs: Type.Array(Type.String()) }, { additionalProperties: false })),
    },
    { additionalProperties: false },
  ),
);

describe('lists', () => {
  test.each([
    ['a text', 'hd, live'],
    ['a list', ['hd', 'live']],
    ['a list with texts of several values', ['hd,live']],
    ['duplicates and empty values, as in the API', 'hd,,live,hd,'],
  ])('are read from %s', (_name, features) => {
    expect(read({ query: 'a', features })).toEqual({ query: 'a', features: ['hd', 'live'] });
  });

  test('may be long if they are short without their duplicates', () => {
    expect(read({ query: 'a', features: ','.repeat(250_000) })).toEqual({ query: 'a', features: [] });
    expect(read({ query: 'a', features: Array(60_000).fill('hd') })).toEqual({ query: 'a', features: ['hd'] });
  });
});

const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown;

describe('hostile arguments', () => {
  test.each([
    ['a list of many values', { features: Array.from({ length: 100_000 }, (_, at) => `x${at}`) }],
    ['a list of many equal lists', { features: Array(100_000).fill(['hd']) }],
    ['a deep list', { features: [deep] }],
    ['a deep value', { query: deep }],
    ['a list for an object', { job: Array(100_000).fill('hd') }],
    ['many names', Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`x${at}`, 1]))],
  ])('%s: a short error, before their values are compared', (_name, args) => {
    expect(() => read({ query: 'a', ...args })).toThrow(/^.{10,200}$/);
  });

  test.each([[null], ['text'], [Array(100_000).fill(1)], [deep]])('no object', (args) => {
    expect(() => read(args)).toThrow('The arguments must be an object.');
  });
});
