import { expect, test } from 'vitest';
import { readContentRange } from './content-range.ts';

test.each([
  ['bytes 0-9/10', { first: 0, last: 9, total: 10 }],
  ['Bytes 5-5/6', { first: 5, last: 5, total: 6 }],
  ['bytes 5-9/*', { first: 5, last: 9 }],
])('%s is read', (header, range) => {
  expect(readContentRange(header)).toEqual(range);
});

test.each([
  undefined,
  '',
  'bytes */10',
  'bytes 9-5/10',
  'bytes 5-10/10',
  'bytes=0-9/10',
  'items 0-9/10',
  'bytes 0-9',
  'bytes -9/10',
  'bytes 0-9/10, 20-29/40',
  `bytes 0-9/${'9'.repeat(16)}`,
])('%s is no range', (header) => {
  expect(readContentRange(header)).toBeUndefined();
});
