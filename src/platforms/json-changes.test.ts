import { describe, expect, it } from 'vitest';
import { httpsOrigin, jsonChanges, listOf, membersOf, oneOf, recordOf, textLike, truthValue } from './json-changes.ts';

const word = textLike(/^[a-z]{1,5}$/, '1 to 5 letters');

describe('jsonChanges', () => {
  const read = jsonChanges<{ readonly name: string; readonly parts: Partial<{ readonly first: string }> }>({
    name: word,
    parts: membersOf({ first: word }),
  });

  it('returns only the members in the text', () => {
    expect(read('{}')).toEqual({});
    expect(read('{"name":"a","parts":{"first":"b"}}')).toEqual({ name: 'a', parts: { first: 'b' } });
  });

  it.each([
    ['', 'must be JSON'],
    ['null', 'must be a JSON object'],
    ['{"toString":"a"}', 'contains the unknown member toString; use only name, parts'],
    ['{"__proto__":{"name":"a"}}', 'contains the unknown member __proto__'],
    ['{"parts":{"second":"a"}}', 'contains the unknown member parts.second; use only first'],
    ['{"parts":{"first":"A"}}', 'has an invalid parts.first: it must be 1 to 5 letters'],
    ['{"parts":null}', 'must have an object as parts'],
  ])('rejects %s', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});

describe('recordOf', () => {
  const read = recordOf(/^[a-z]$/, word);

  it('reads members of any name that matches', () => {
    expect(read({ a: 'x', b: 'y' }, 'map')).toEqual({ a: 'x', b: 'y' });
  });

  it('rejects other names, other values and too many members', () => {
    expect(() => read({ ab: 'x' }, 'map')).toThrow('contains the unknown member map.ab');
    expect(() => read({ a: 5 }, 'map')).toThrow('has an invalid map.a');
    const large = Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`${index}`, 'x']));
    expect(() => read(large, 'map')).toThrow('has more than 40 members');
    expect(() => read(large, '')).toThrow(/^has more than 40 members$/);
  });
});

describe('listOf', () => {
  const read = listOf(word, 2);

  it('reads a list', () => {
    expect(read(['b', 'a'], 'list')).toEqual(['b', 'a']);
    expect(listOf(word, 2, 0)([], 'list')).toEqual([]);
  });

  it('rejects other lengths, duplicates and other values', () => {
    expect(() => read([], 'list')).toThrow('must have a list of 1 to 2 entries as list');
    expect(() => read(['a', 'b', 'c'], 'list')).toThrow('must have a list of 1 to 2 entries as list');
    expect(() => read('a', 'list')).toThrow('must have a list of 1 to 2 entries as list');
    expect(() => read(['a', 'a'], 'list')).toThrow('has a duplicate in list');
    expect(() => read([1], 'list')).toThrow('has an invalid list');
  });
});

describe('oneOf and truthValue', () => {
  it('read only the permitted values', () => {
    expect(oneOf(['a', 'b'])('b', 'x')).toBe('b');
    expect(truthValue(false, 'x')).toBe(false);
    expect(() => oneOf(['a', 'b'])('c', 'x')).toThrow('has an invalid x: use a, b');
    expect(() => truthValue('false', 'x')).toThrow('has an invalid x: it must be true or false');
  });
});

describe('httpsOrigin', () => {
  it('reads an origin', () => {
    expect(httpsOrigin('https://www.example.com', 'x')).toBe('https://www.example.com');
  });

  it.each([
    'http://www.example.com',
    'https://www.example.com/',
    'https://user@www.example.com',
    'https://WWW.example.com',
    'file:///etc/passwd',
    'www.example.com',
    5,
  ])('rejects %s', (value) => {
    expect(() => httpsOrigin(value, 'x')).toThrow('must have an HTTPS origin such as https://www.example.com as x');
  });
});
