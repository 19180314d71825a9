import { expect, test } from 'vitest';
import { toggled } from './selection.ts';

const order = ['a', 'b', 'c', 'd', 'e'];

test('toggling an entry selects it, and then deselects it', () => {
  const selected = toggled(new Set(['b']), 'a');
  expect([...selected]).toEqual(['b', 'a']);
  expect([...toggled(selected, 'b')]).toEqual(['a']);
});

test.each([
  ['forwards', 'b', 'd', ['b', 'c', 'd']],
  ['backwards', 'd', 'b', ['d', 'b', 'c']],
])('toggling a range %s changes all entries in between', (_, anchor, key, expected) => {
  const selected = toggled(new Set([anchor]), key, order, anchor);
  expect([...selected]).toEqual(expected);
  expect([...toggled(selected, key, order, anchor)]).toEqual([]);
});

test('an anchor that is no longer in the list is ignored', () => {
  expect([...toggled(new Set(), 'c', order, 'gone')]).toEqual(['c']);
});
