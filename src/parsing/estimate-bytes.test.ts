import { expect, test } from 'vitest';
import { estimateBytes } from './estimate-bytes.ts';

test.each([
  [800_000, 60, 6_000_000],
  [1, 1, 1],
  [undefined, 60, undefined],
  [800_000, undefined, undefined],
  [0, 60, undefined],
  [800_000, 0, undefined],
  [800, 90_071_992_547_409.92, undefined],
  [1, Number.POSITIVE_INFINITY, undefined],
])('estimates %s bits per second for %s seconds as %s bytes', (bitrate, seconds, bytes) => {
  expect(estimateBytes(bitrate, seconds)).toBe(bytes);
});
