import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import { resolveRangeRequest } from './range-request.ts';

const etag = '"one"';
const whole = { status: 200, range: { first: 0, last: 99 } };

describe('a range of 100 bytes', () => {
  test.each([
    ['bytes=0-9', { first: 0, last: 9 }],
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=90-', { first: 90, last: 99 }],
    ['bytes=90-1000', { first: 90, last: 99 }],
    ['bytes=-10', { first: 90, last: 99 }],
    ['bytes=-1000', { first: 0, last: 99 }],
  ])('%s', (header, range) => {
    expect(resolveRangeRequest({ range: header }, etag, 100)).toEqual({ status: 206, range });
  });

  test.each(['bytes=100-', 'bytes=100-200', 'bytes=-0'])('%s lies outside', (range) => {
    expect(resolveRangeRequest({ range }, etag, 100)).toEqual({ status: 416 });
  });

  test.each(['bytes=0-1,5-6', 'bytes=9-3', 'bytes=-', 'bytes=a-b', 'items=0-1', 'bytes 0-1', ''])(
    '%s is none',
    (range) => {
      expect(resolveRangeRequest({ range }, etag, 100)).toEqual(whole);
    },
  );

  test('lies outside an empty file, whatever it is', () => {
    expect(resolveRangeRequest({ range: 'bytes=0-' }, etag, 0)).toEqual({ status: 416 });
    expect(resolveRangeRequest({ range: 'bytes=-5' }, etag, 0)).toEqual({ status: 416 });
  });

  test('never leaves the file', () => {
    fc.assert(
      fc.property(fc.nat(1_000), fc.nat(1_000), fc.nat(1_000), fc.constantFrom('', 'a', 'b'), (size, a, b, padding) => {
        const header = `bytes=${padding === 'a' ? '' : a}-${padding === 'b' ? '' : b}`;
        const { status, range } = resolveRangeRequest({ range: header }, etag, size);
        if (range === undefined) expect(status).toBe(416);
        else if (status === 206)
          expect([range.first >= 0, range.first <= range.last, range.last < size]).not.toContain(false);
        else expect(status).toBe(200);
      }),
      { seed: 9, numRuns: propertyRuns(500) },
    );
  });
});

describe('a condition', () => {
  const range = 'bytes=0-9';
  test.each([
    ['has the file already', { 'if-none-match': etag, range }, 304],
    ['has the file, by a cache that weakened its tag', { 'if-none-match': '"other", W/"one"' }, 304],
    ['has another file', { 'if-none-match': '"other"' }, 200],
    ['goes on with this file', { 'if-match': etag, range }, 206],
    ['goes on with whatever is there', { 'if-match': '*', range }, 206],
    ['goes on with one of several', { 'if-match': '"other", "one"', range }, 206],
    ['goes on with a tag that proves nothing of bytes', { 'if-match': `W/${etag}`, range }, 412],
    ['goes on with another file', { 'if-match': '"other"', range }, 412],
    ['goes on, or starts anew: this file', { 'if-range': etag, range }, 206],
    ['goes on, or starts anew: another file', { 'if-range': '"other"', range }, 200],
    ['goes on, or starts anew: a tag that proves nothing of bytes', { 'if-range': `W/${etag}`, range }, 200],
  ])('%s', (_name, headers, status) => {
    expect(resolveRangeRequest(headers, etag, 100).status).toBe(status);
  });
});
