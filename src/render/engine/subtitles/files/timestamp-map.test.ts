import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../testing/property-runs.ts';
import { parseSubtitles } from './parse-subtitles.ts';
import { parseTimestampMap, shiftBetween } from './timestamp-map.ts';

test.each([
  ['X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000', 10_000],
  ['X-TIMESTAMP-MAP=LOCAL:00:01:00.500,MPEGTS:900000', -50_500],
  ['X-TIMESTAMP-MAP=LOCAL:01:00.500,MPEGTS:0', -60_500],
  ['X-TIMESTAMP-MAP=MPEGTS:900000', undefined],
  ['X-TIMESTAMP-MAP=MPEGTS:x,LOCAL:00:00:00.000', undefined],
  ['Kind: captions', undefined],
])('%s', (line, map) => {
  expect(parseTimestampMap(line)).toBe(map);
});

test('any line is read as a finite number or not at all, and its shift is less than half a turn of the clock', () => {
  const text = fc.string({ unit: fc.constantFrom(...'MPEGTSLOCAL:,.0123456789') });
  fc.assert(
    fc.property(text, fc.integer({ min: -1e8, max: 1e8 }), (rest, first) => {
      const map = parseTimestampMap(`X-TIMESTAMP-MAP=${rest}`);
      if (map !== undefined) expect(Math.abs(shiftBetween(first, map))).toBeLessThanOrEqual(2 ** 32 / 90 + 1);
    }),
    { seed: 56, numRuns: propertyRuns(1000) },
  );
});

/** Returns the start times of the cues of a file of two segments, whose maps have the given ticks. */
function startsOf(first: number, second: number, local = '00:00:00.000'): number[] {
  const segment = (ticks: number) => {
    return `WEBVTT\nX-TIMESTAMP-MAP=LOCAL:${local},MPEGTS:${ticks}\n\n00:00:02.000 --> 00:00:03.000\nHello ${ticks}\n\n`;
  };
  return parseSubtitles(Buffer.from(segment(first) + segment(second)), 'vtt').cues.map(({ start }) => start);
}

test('the segments of a file count like its first one', () => {
  expect(startsOf(900_000, 900_000)).toEqual([2000, 2000]);
  expect(startsOf(900_000, 900_000 + 6 * 90_000)).toEqual([2000, 8000]);
  expect(startsOf(900_000, 900_000 + 6 * 90_000, '00:00:10.000')).toEqual([2000, 8000]);
  expect(startsOf(2 ** 33 - 90_000, 5 * 90_000)).toEqual([2000, 8000]);
});

test('cues before the beginning are cut off', () => {
  expect(startsOf(900_000, 900_000 - 90_000 * 2.5)).toEqual([0, 2000]);
  expect(startsOf(900_000, 900_000 - 90_000 * 3)).toEqual([2000]);
});
