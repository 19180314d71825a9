import { describe, expect, test } from 'vitest';
import { structureFault, uncheckedBytes } from './json-structure.ts';

const faultOf = (json: string) => structureFault(Buffer.from(json));
const object = (count: number, nameOf: (at: number) => string) =>
  `{${Array.from({ length: count }, (_, at) => `${nameOf(at)}:0`).join()}}`;
const list = (count: number, json: string) => `[${Array(count).fill(json).join()}]`;

const tooManyNames = 'must not have more than 10000 different member names';
const tooManyContainers = 'must not have more than 50000 objects and lists';

describe('JSON is refused if it has', () => {
  test.each([
    ['more than 10,000 names in one object', object(10_001, (at) => `"${at}"`), tooManyNames],
    [
      'more than 10,000 names in many objects',
      `[${Array.from({ length: 10_001 }, (_, at) => `{"${at}":0}`)}]`,
      tooManyNames,
    ],
    ['more than 10,000 names with escapes', object(10_001, (at) => `"\\"\\\\${at}"`), tooManyNames],
    ['more than 10,000 names with white space', object(10_001, (at) => `"${at}" \n `), tooManyNames],
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
    ['10,000 names', object(10_000, (at) => `"${at}"`)],
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
