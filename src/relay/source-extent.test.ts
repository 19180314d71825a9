import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extentOf } from './source-extent.ts';

const url = 'https://cdn.example/file';
const ranged = (range: string) => ({ status: 206, headers: { 'content-range': range }, url });

test('extentOf reads the bytes of a whole file and of a range', () => {
  expect(extentOf({ status: 200, headers: { 'content-length': '10' }, url })).toEqual({ first: 0, last: 9, total: 10 });
  expect(extentOf(ranged('bytes 2-4/10'))).toEqual({ first: 2, last: 4, total: 10 });
  expect(extentOf(ranged('bytes 2-4/*'))).toEqual({ first: 2, last: 4 });
});

test.each(['bytes */10', 'bytes 4-2/10', 'bytes 2-10/10', 'pages 1-2/3', ''])(
  'extentOf knows nothing of the range %j',
  (range) => {
    expect(extentOf(ranged(range))).toBeUndefined();
  },
);

test('extentOf returns bytes within the file, or nothing, whatever the source states', () => {
  const texts = fc.oneof(fc.string(), fc.stringMatching(/^bytes \d{1,3}-\d{1,3}\/(\d{1,3}|\*)$/));
  fc.assert(
    fc.property(fc.constantFrom(200, 206, 416), texts, texts, (status, range, length) => {
      const extent = extentOf({ status, headers: { 'content-range': range, 'content-length': length }, url });
      if (extent === undefined) return;
      expect(extent.first).toBeGreaterThanOrEqual(0);
      expect(extent.last).toBeLessThan(extent.total ?? Number.POSITIVE_INFINITY);
    }),
    { seed: 4 },
  );
});
