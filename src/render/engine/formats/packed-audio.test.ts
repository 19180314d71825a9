import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { timestampTag } from '../testing/timestamp-tag.ts';
import { mpegClockTicks } from '../timing/clock-turns.ts';
import { findTimestampTag, listTimestampTags } from './packed-audio.ts';

const bytes = fc.uint8Array({ maxLength: 60 }).map((each) => Buffer.from(each));
const ticks = fc.integer({ min: 0, max: mpegClockTicks - 1 });

describe('the timestamp of a segment of packed audio', () => {
  test('is read from its tag', () => {
    const tag = timestampTag(1_080_000);
    expect(findTimestampTag(tag)).toEqual({ start: 0, end: tag.length, ticks: 1_080_000 });
  });

  test('has 33 bits', () => {
    expect(findTimestampTag(timestampTag(mpegClockTicks + 5))?.ticks).toBe(5);
  });

  test('may follow other frames, and other tags may follow its tag', () => {
    const title = Buffer.from('TIT2\0\0\0\x02\0\0\x03a', 'latin1');
    const tag = timestampTag(90_000, title);
    const other = Buffer.from('ID3\x04\0\0\0\0\0\x0cTIT2\0\0\0\x02\0\0\x03a', 'latin1');
    const all = Buffer.concat([tag, other, Buffer.from([0xff, 0xf1])]);
    expect(findTimestampTag(all)).toEqual({ start: 0, end: tag.length + other.length, ticks: 90_000 });
  });

  test('is found wherever its tag is among other bytes', () => {
    fc.assert(
      fc.property(bytes, ticks, bytes, (before, value, after) => {
        const tag = timestampTag(value);
        const found = findTimestampTag(Buffer.concat([before, tag, after]));
        expect(found?.ticks).toBe(value);
        if (after.toString('latin1', 0, 3) !== 'ID3')
          expect(found).toMatchObject({ start: before.length, end: before.length + tag.length });
      }),
      { seed: 53, numRuns: propertyRuns(500) },
    );
  });

  test('is found in each segment of a file', () => {
    const frames = fc.array(fc.tuple(ticks, fc.nat(3_000_000)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(frames, (segments) => {
        const file = Buffer.concat(
          segments.flatMap(([value, size]) => [timestampTag(value), Buffer.alloc(size, 0xff)]),
        );
        const tags = listTimestampTags({ size: file.length, read: (at, length) => file.subarray(at, at + length) });
        expect(tags.map(({ ticks: value }) => value)).toEqual(segments.map(([value]) => value));
        const tagBytes = timestampTag(0).length;
        let start = 0;
        for (const [at, tag] of tags.entries()) {
          expect(tag).toMatchObject({ start, end: start + tagBytes });
          start += tagBytes + (segments[at]?.[1] ?? 0);
        }
      }),
      { seed: 55, numRuns: propertyRuns(60) },
    );
  });

  test('is absent from a tag that is cut or whose bytes were changed, without an error', () => {
    fc.assert(
      fc.property(ticks, fc.nat(), fc.nat(255), fc.nat(), (value, at, byte, cut) => {
        const tag = timestampTag(value);
        expect(findTimestampTag(tag.subarray(0, cut % tag.length))).toBeUndefined();
        tag.writeUInt8(byte, at % tag.length);
        const found = findTimestampTag(tag);
        expect(found === undefined || (found.end <= tag.length && found.ticks < mpegClockTicks)).toBe(true);
      }),
      { seed: 54, numRuns: propertyRuns(500) },
    );
  });
});
