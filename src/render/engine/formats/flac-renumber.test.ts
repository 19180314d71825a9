import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { flacFrameNumber, renumberFlacFrame } from './flac-renumber.ts';

/** A frame with number 0, from the example of RFC 9639, appendix D.1. */
const example = Buffer.from('fff869180000bf0358fd03128baa9a', 'hex');

it('keeps a valid frame when its number stays the same', () => {
  expect(renumberFlacFrame(example, 0)).toEqual(example);
});

it('reduces numbers of any length, and restores them', () => {
  const numbers = fc.integer({ min: 0, max: 2 ** 31 - 1 });
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      // A negative reduction increases the number.
      const later = renumberFlacFrame(example, -high) ?? example;
      expect(flacFrameNumber(later)).toBe(high);
      const reduced = renumberFlacFrame(later, low) ?? example;
      expect(flacFrameNumber(reduced)).toBe(high - low);
      expect(renumberFlacFrame(reduced, high - low)).toEqual(example);
    }),
    { seed: 23, numRuns: propertyRuns(500) },
  );
});

it('handles arbitrary bytes without an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 24 }), fc.nat(), (bytes, by) => {
      const frame = Buffer.concat([Buffer.from([0xff, 0xf8]), bytes]);
      const number = flacFrameNumber(frame);
      const result = renumberFlacFrame(frame, by);
      if (result !== undefined && number !== undefined) expect(flacFrameNumber(result)).toBe(number - by);
    }),
    { seed: 24, numRuns: propertyRuns(2000) },
  );
});
