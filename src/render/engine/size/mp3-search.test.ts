import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { Mp3Search } from './mp3-search.ts';

const rates = [32_000, 64_000, 96_000, 128_000, 160_000, 192_000, 256_000, 320_000];

/** Returns the bit rates and sizes of all attempts. The encoder reaches constant bit rates exactly, and others times `factor`. */
function search(maxBytes: number, seconds: number, { besides = 2000, factor = 1 }) {
  const search = new Mp3Search(maxBytes, rates);
  const attempts: { readonly bits: number; readonly bytes: number }[] = [];
  for (let bits: number | undefined = search.first(seconds); bits !== undefined; ) {
    const bytes = besides + (bits * seconds * (rates.includes(bits) ? 1 : factor)) / 8;
    attempts.push({ bits, bytes });
    bits = search.next(bits, bytes);
  }
  return attempts;
}

it('uses a constant bit rate that fills the size', () => {
  expect(search(200_000, 8, {})).toEqual([{ bits: 192_000, bytes: 194_000 }]);
});

it('uses another bit rate on average if no constant one fills the size', () => {
  expect(search(290_000, 10, {}).map(({ bits }) => Math.round(bits))).toEqual([221_560]);
});

it('uses the highest constant bit rate that fits if the average is missed', () => {
  expect(search(290_000, 10, { factor: 0.24 }).map(({ bits }) => Math.round(bits))).toEqual([221_560, 192_000]);
  expect(search(290_000, 10, { factor: 1.2 }).map(({ bits }) => Math.round(bits))).toEqual([221_560, 192_000]);
});

it('takes a cover into account after the first attempt', () => {
  expect(search(1_000_000, 25, { besides: 600_000 }).map(({ bits }) => bits)).toEqual([305_600, 320_000, 128_000]);
});

it('ends with the lowest bit rate if nothing fits', () => {
  expect(search(100_000, 60, { besides: 50_000 }).map(({ bits }) => bits)).toEqual([32_000]);
});

it('ends with at least the highest constant bit rate that fits', () => {
  const options = [fc.integer({ min: 5, max: 5000 }), fc.integer({ min: 0, max: 500_000 })] as const;
  const factor = fc.double({ min: 0.2, max: 1.5, noNaN: true });
  fc.assert(
    fc.property(...options, factor, fc.integer({ min: 32, max: 400 }), (seconds, besides, factor, kilobits) => {
      const maxBytes = besides + kilobits * 125 * seconds;
      const attempts = search(maxBytes, seconds, { besides, factor });
      const best = Math.max(...attempts.map(({ bytes }) => bytes).filter((bytes) => bytes <= maxBytes));
      const constant = rates.map((rate) => besides + (rate * seconds) / 8).filter((bytes) => bytes <= maxBytes);
      expect(best >= 0.9 * maxBytes || best >= Math.max(...constant)).toBe(true);
      expect(attempts.length).toBeLessThanOrEqual(3);
    }),
    { seed: 23, numRuns: propertyRuns(500) },
  );
});
