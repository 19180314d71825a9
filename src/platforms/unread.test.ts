import { describe, expect, it } from 'vitest';
import { addUnread, countKinds, kindOf, UnreadResponseError, unreadIn } from './unread.ts';

describe('unread entries', () => {
  it('are counted by kind', () => {
    expect(countKinds(['a', 'b', 'a'])).toEqual({ a: 2, b: 1 });
    expect(addUnread({ a: 1 }, undefined, { a: 2, b: 1 }, {})).toEqual({ a: 3, b: 1 });
  });

  it('are counted if the site uses a name that objects inherit', () => {
    const kinds = countKinds(['constructor', 'constructor', '__proto__']);
    expect(Object.entries(addUnread(kinds))).toEqual([
      ['constructor', 2],
      ['__proto__', 1],
    ]);
  });

  it('have at most 50 kinds, whose names have at most 80 characters', () => {
    const kinds = Object.keys(countKinds(Array.from({ length: 200 }, (_, index) => `${index}${'x'.repeat(100)}`)));
    expect([kinds.length, Math.max(...kinds.map(({ length }) => length))]).toEqual([50, 80]);
  });

  it('of responses that led to errors are added up', () => {
    const errors = [new UnreadResponseError('a', { a: 1 }), new Error('b'), new UnreadResponseError('c', { a: 1 })];
    expect(unreadIn(errors)).toEqual({ a: 2 });
  });
});

describe('the kind of an object', () => {
  it.each([
    [{ __typename: 'Story' }, 'Story'],
    [{ __typename: 'a b' }, 'item'],
    [{}, 'item'],
    [null, 'item'],
  ])('of %j is %s', (value, kind) => {
    expect(kindOf(value, 'item')).toBe(kind);
  });
});
