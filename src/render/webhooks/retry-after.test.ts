import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const now = new Date('2026-11-23T00:00:00Z');

test.each([
  ['0', 0],
  ['120', 120_000],
  [' 5 ', 5_000],
  ['9999999999', 9_999_999_999_000],
  ['Mon, 23 Nov 2026 00:01:00 GMT', 60_000],
  ['Sun, 22 Nov 2026 23:59:00 GMT', undefined],
  ['2026-11-23T00:01:00Z', undefined],
  ['1.5', undefined],
  ['-1', undefined],
  ['99999999999', undefined],
  ['soon GMT', undefined],
  ['', undefined],
  [undefined, undefined],
])('%s', (header, milliseconds) => {
  expect(retryAfterMs(header, now)).toBe(milliseconds);
});

test('returns a future time or undefined for any header', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `${text} GMT`),
        fc.integer().map(String),
      ),
      (header) => {
        const milliseconds = retryAfterMs(header, now);
        if (milliseconds !== undefined) expect(milliseconds).toBeGreaterThanOrEqual(0);
      },
    ),
    { seed: 7 },
  );
});
