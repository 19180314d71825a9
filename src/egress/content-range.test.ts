import { expect, test } from 'vitest';
import { readContentRange, withPartStatus } from './content-range.ts';

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

const statusWith = (status: number, headers: Record<string, string>) =>
  withPartStatus({ status, headers, url: 'https://cdn.example/file' }).status;

test.each([
  ['begins later', { 'content-range': 'bytes 1-9/10' }],
  ['ends earlier', { 'content-range': 'bytes 0-8/10', 'content-length': '9' }],
  ['may end earlier', { 'content-range': 'bytes 0-8/*' }],
  ['contradicts the length', { 'content-range': 'bytes 0-9/10', 'content-length': '9' }],
])('a response with status 200 is a part if its range %s', (_how, headers) => {
  expect(statusWith(200, headers)).toBe(206);
  expect(statusWith(416, headers)).toBe(416);
});

test.each([
  ['no range', {}],
  ['a range that cannot be read', { 'content-range': 'bytes 0-8' }],
  ['the range of the whole', { 'content-range': 'bytes 0-9/10', 'content-length': '10' }],
  ['the range of the whole, without a length', { 'content-range': 'bytes 0-9/10' }],
])('a response with status 200 is whole if it has %s', (_what, headers) => {
  expect(statusWith(200, headers)).toBe(200);
});
