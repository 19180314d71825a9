import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import { resolveRangeRequest } from './range-request.ts';

const etag = '"one"';
const whole = { status: 200, range: { first: 0, last: 99 } };

describe('a range request for a file of 100 bytes', () => {
  test.each([
    ['bytes=0-9', { first: 0, last: 9 }],
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=90-', { first: 90, last: 99 }],
    ['bytes=90-1000', { first: 90, last: 99 }],
    ['bytes=-10', { first: 90, last: 99 }],
    ['bytes=-1000', { first: 0, last: 99 }],
  ])('returns the requested bytes of %s', (header, range) => {
    expect(resolveRangeRequest({ range: header }, etag, 100)).toEqual({ status: 206, range });
  });

  test.each(['bytes=100-', 'bytes=100-200', 'bytes=-0'])('returns 416 for %s', (range) => {
    expect(resolveRangeRequest({ range }, etag, 100)).toEqual({ status: 416 });
  });

  test.each(['bytes=0-1,5-6', 'bytes=9-3', 'bytes=-', 'bytes=a-b', 'items=0-1', 'bytes 0-1', ''])(
    'ignores the invalid range %s',
    (range) => {
      expect(resolveRangeRequest({ range }, etag, 100)).toEqual(whole);
    },
  );

  test('returns 416 for any range of an empty file', () => {
    expect(resolveRangeRequest({ range: 'bytes=0-' }, etag, 0)).toEqual({ status: 416 });
    expect(resolveRangeRequest({ range: 'bytes=-5' }, etag, 0)).toEqual({ status: 416 });
  });

  test('never returns a range outside the file', () => {
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

describe('a conditional request', () => {
  const range = 'bytes=0-9';
  test.each([
    ['returns 304 for a matching If-None-Match', { 'if-none-match': etag, range }, 304],
    ['returns 304 for a weakened tag in If-None-Match', { 'if-none-match': '"other", W/"one"' }, 304],
    ['returns 200 for another tag in If-None-Match', { 'if-none-match': '"other"' }, 200],
    ['returns 206 for a matching If-Match', { 'if-match': etag, range }, 206],
    ['returns 206 for If-Match: *', { 'if-match': '*', range }, 206],
    ['returns 206 for one of several tags in If-Match', { 'if-match': '"other", "one"', range }, 206],
    ['returns 412 for a weak tag in If-Match', { 'if-match': `W/${etag}`, range }, 412],
    ['returns 412 for another tag in If-Match', { 'if-match': '"other"', range }, 412],
    ['returns 206 for a matching If-Range', { 'if-range': etag, range }, 206],
    ['returns 200 for another tag in If-Range', { 'if-range': '"other"', range }, 200],
    ['returns 200 for a weak tag in If-Range', { 'if-range': `W/${etag}`, range }, 200],
  ])('%s', (_name, headers, status) => {
    expect(resolveRangeRequest(headers, etag, 100).status).toBe(status);
  });
});
