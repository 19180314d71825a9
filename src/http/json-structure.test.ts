import fc from 'fast-check';
import fastify, { type FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import { runSteps } from '../waiting/steps.ts';
import { hasPrototypeMember, structureFault, uncheckedBytes } from './json-structure.ts';

const faultOf = (json: string) => runSteps(structureFault(Buffer.from(json)));
const object = (count: number, nameOf: (at: number) => string) =>
  `{${Array.from({ length: count }, (_, at) => `${nameOf(at)}:0`).join()}}`;
const list = (count: number, json: string) => `[${Array(count).fill(json).join()}]`;

const tooManyNames = 'must not have more than 2000 different member names';
const tooManyContainers = 'must not have more than 50000 objects and lists';

describe('JSON is refused if it has', () => {
  test.each([
    ['more than 2,000 names in one object', object(2_001, (at) => `"${at}"`), tooManyNames],
    [
      'more than 2,000 names in many objects',
      `[${Array.from({ length: 2_001 }, (_, at) => `{"${at}":0}`)}]`,
      tooManyNames,
    ],
    ['more than 2,000 names with escapes', object(2_001, (at) => `"\\"\\\\${at}"`), tooManyNames],
    ['more than 2,000 names with white space', object(2_001, (at) => `"${at}" \n `), tooManyNames],
    ['more than 50,000 lists', list(50_000, '[]'), tooManyContainers],
    ['more than 50,000 objects', list(50_000, '{}'), tooManyContainers],
    ['lists 50,001 levels deep', '['.repeat(50_001), tooManyContainers],
  ])('%s', (_name, json, fault) => {
    expect(json.length).toBeGreaterThan(uncheckedBytes);
    expect(faultOf(json)).toBe(fault);
  });
});

describe('JSON may have', () => {
  test.each([
    ['2,000 names', object(2_000, (at) => `"${at}"`)],
    ['the same names many times', list(43_000, '{"title":"a","start":1}')],
    ['names in strings', JSON.stringify([object(20_000, (at) => `"${at}"`), '\\', list(60_000, '[]')])],
    ['many numbers', list(400_000, '1')],
    ['many strings', object(1, () => '"a"').replace('0', list(200_000, '"x"'))],
    ['colons without names', ':'.repeat(100_000)],
    ['a string that does not end', `"${':{['.repeat(100_000)}`],
    ['an escape at the end', `"${'a'.repeat(100_000)}\\`],
  ])('%s', (_name, json) => {
    expect(faultOf(json)).toBeUndefined();
  });
});

const forbidden = (json: string) => runSteps(hasPrototypeMember(JSON.parse(json)));

test.each([
  '{"__proto__":0}',
  '{"\\u005f_proto__":null}',
  '[[{"a":[0,{"__proto__":{}}]}]]',
  '{"constructor":{"prototype":0}}',
  '{"constructor":{"a":{"constructor":{"prototype":{}}}}}',
  `[${'{},'.repeat(10_000)}{"__proto__":0}]`,
])('%s has a member that changes prototypes', (json) => {
  expect(forbidden(json)).toBe(true);
});

test.each([
  '0',
  'null',
  '"__proto__"',
  '["__proto__"]',
  '{"constructor":0,"prototype":{}}',
  '{"constructor":null}',
  '{"constructor":{"a":"prototype"}}',
  '{"proto":{"__proto":0}}',
])('%s has no member that changes prototypes', (json) => {
  expect(forbidden(json)).toBe(false);
});

test('the members that change prototypes are those that the parser of the framework forbids', () => {
  const names = fc.constantFrom('__proto__', 'constructor', 'prototype', 'a');
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, fc.constantFrom(0, null, 'a'), tie('object'), tie('list')),
    object: fc.array(fc.tuple(names, tie('value'))).map((members) => new Map(members)),
    list: fc.array(tie('value')),
  }));
  const parse = fastify().getDefaultJsonParser('error', 'error');
  fc.assert(
    fc.property(value, (generated) => {
      const json = stringify(generated);
      let failure: unknown;
      void parse({} as FastifyRequest, json, (error) => {
        failure = error;
      });
      expect([json, forbidden(json)]).toEqual([json, failure != null]);
    }),
    { seed: 1 },
  );
});

/** Returns the JSON of a value whose objects are maps, which can have any member. */
function stringify(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stringify).join()}]`;
  if (!(value instanceof Map)) return JSON.stringify(value);
  return `{${[...value].map(([name, member]) => `${JSON.stringify(name)}:${stringify(member)}`).join()}}`;
}
