import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../testing/property-runs.ts';
import { maxClipSeconds } from './clip.ts';
import { parseClip } from './parse-clip.ts';

describe('a clip', () => {
  it.each([
    ['90-150', { start: 90, end: 150 }],
    ['1:30-2:30', { start: 90, end: 150 }],
    ['90-', { start: 90 }],
    ['-150', { start: 0, end: 150 }],
    ['1.5-3', { start: 1.5, end: 3 }],
    ['1:02:03-1:02:10', { start: 3723, end: 3730 }],
    ['0-0.001', { start: 0, end: 0.001 }],
    ['90:00-100:00', { start: 5400, end: 6000 }],
    [' 1:30 - 2:30 ', { start: 90, end: 150 }],
  ])('can be %s', (text, clip) => {
    expect(parseClip(text)).toEqual(clip);
  });

  it.each(['150-90', '90-90', '-0', '1:30-1:30'])('must end after it starts: %s', (text) => {
    expect(parseClip(text)).toBe('must end after it starts');
  });

  it.each(['', '-', '90', '--', '-90-150', '90-150-'])('must be a range: "%s"', (text) => {
    expect(parseClip(text)).toBe('is not a range such as 90-150, 1:30-2:30, 90- or -150');
  });

  it.each(['a-b', '1:60-', '1:60:00-', '1:2:3:4-', '1.2345-', '.5-', '1e3-', '-1:', '1000001-', '١-٢', '0x10-'])(
    'must have times: "%s"',
    (text) => {
      expect(parseClip(text)).toBe('has a time that is not seconds, mm:ss or hh:mm:ss');
    },
  );

  it('is the range that was written in any notation', () => {
    const clock = (milliseconds: number, withHours: boolean) => {
      const seconds = `${Math.floor((milliseconds % 60_000) / 1000)}.${String(milliseconds % 1000).padStart(3, '0')}`;
      const minutes = Math.floor(milliseconds / 60_000);
      return withHours ? `${Math.floor(minutes / 60)}:${minutes % 60}:${seconds}` : `${minutes}:${seconds}`;
    };
    const notations = [
      (ms: number) => `${ms / 1000}`,
      (ms: number) => clock(ms, false),
      (ms: number) => clock(ms, true),
    ];
    const notation = fc.constantFrom(...notations);
    const time = fc.nat(maxClipSeconds / 2);
    fc.assert(
      fc.property(time, fc.integer({ min: 1, max: maxClipSeconds }), notation, notation, (start, length, from, to) => {
        const end = start + length;
        expect(parseClip(`${from(start)}-${to(end)}`)).toEqual({ start: start / 1000, end: end / 1000 });
        expect(parseClip(`${from(start)}-`)).toEqual({ start: start / 1000 });
        expect(parseClip(`-${to(end)}`)).toEqual({ start: 0, end: end / 1000 });
      }),
      { seed: 231, numRuns: propertyRuns(500) },
    );
  });

  it('is in bounds for any text', () => {
    const characters = fc.constantFrom(...'0123456789:.-'.split(''));
    const text = fc.oneof(fc.string(), fc.string({ unit: characters, maxLength: 30 }));
    fc.assert(
      fc.property(text, (any) => {
        const clip = parseClip(any);
        if (typeof clip === 'string') return;
        expect(clip.start).toBeGreaterThanOrEqual(0);
        expect(clip.end ?? Number.POSITIVE_INFINITY).toBeGreaterThan(clip.start);
        expect(Math.max(clip.start, clip.end ?? 0)).toBeLessThanOrEqual(maxClipSeconds);
      }),
      { seed: 232, numRuns: propertyRuns(2000) },
    );
  });
});
