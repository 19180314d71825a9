import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { subtitleFormats } from '../../../../contract/output-additions.ts';
import { startCpuClock } from '../../../../testing/cpu-clock.ts';
import { propertyRuns } from '../../../../testing/property-runs.ts';
import { useUnoptimisedExpressions } from '../../../../testing/unoptimised-expressions.ts';
import { SubtitlesUnreadable, subtitleLimits } from './file-cue.ts';
import { parseSubtitles } from './parse-subtitles.ts';
import { writeSubtitles } from './write-subtitles.ts';

useUnoptimisedExpressions();

const runs = { numRuns: propertyRuns(200), seed: 23 };

const fragments = fc.constantFrom(
  ...['00:01,000 --> 00:02,000', '\n', '\n\n', '1', 'WEBVTT', 'NOTE', '-->', '<i>', '</i>', '<b', '>', '<00:01.000>'],
  ...['{\\an8}', '&lt;', '&#0;', '\0', '\u202e', '\ufeff', '\r', ' ', 'a', '😀', '\ud800', '<v Ann>', '99:99:99.999'],
  ...['{"events":[', '{"tStartMs":1,"segs":[{"utf8":"a"}]}', ',', ']}', '"aAppend":1'],
);
const files = fc.oneof(
  fc.array(fragments, { maxLength: 60 }).map((parts) => Buffer.from(parts.join(''))),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.json().map((json) => Buffer.from(`{"events":[${json},${json}]}`)),
);

describe('any file', () => {
  it('has cues within the limits, or is refused', () => {
    fc.assert(
      fc.property(files, fc.constantFrom(...subtitleFormats), (bytes, format) => {
        let cues: ReturnType<typeof parseSubtitles>['cues'];
        try {
          ({ cues } = parseSubtitles(bytes, format));
        } catch (error) {
          expect(error).toBeInstanceOf(SubtitlesUnreadable);
          return;
        }
        expect(cues.length).toBeGreaterThan(0);
        for (const { start, end, text } of cues) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual((subtitleLimits.time + 5) * 1000);
          const whole = text.filter((part) => typeof part === 'string').join('');
          expect(whole.replaceAll(/[^\P{Cc}\n]/gu, '')).toBe(whole);
          expect(whole).not.toMatch(/\n[ \n]|^\n|\n$/);
        }
      }),
      runs,
    );
  });

  it('is the same after it was written as WebVTT and read again', () => {
    const texts = fc
      .array(fc.constantFrom('a', 'b c', '<', '&', '\n', '-->', '1', 'é', '<i>', '</i>', '<b>'), { minLength: 1 })
      .map((parts) => `x${parts.join('')}x`);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(400_000_000), fc.nat(10_000), texts), { minLength: 1 }), (cues) => {
        const source = cues.map(([start, duration, text]) => {
          const [tStartMs, dDurationMs] = [start, duration + 1];
          return { tStartMs, dDurationMs, segs: [{ utf8: text }] };
        });
        const first = parseSubtitles(Buffer.from(JSON.stringify({ events: source })), 'json3').cues;
        expect(parseSubtitles(Buffer.from(writeSubtitles(first, 'vtt')), 'vtt').cues).toEqual(first);
      }),
      runs,
    );
  });

  it.each([
    ['tags', '<i>'],
    ['unfinished tags', '<a'],
    ['braces', '{\\'],
    ['spaces', ' '],
    ['lines', '\n'],
    ['arrows', ' --> '],
    ['digits', '0'],
    ['references', '&#'],
  ])('is read in linear time with many %s', (_name, part) => {
    const bytes = Buffer.from(`WEBVTT\n\n00:01.000 --> 00:02.000\n${part.repeat(Math.ceil(5_000_000 / part.length))}x`);
    const elapsed = startCpuClock();
    for (const format of subtitleFormats) {
      try {
        parseSubtitles(bytes, format);
      } catch (error) {
        expect(error).toBeInstanceOf(SubtitlesUnreadable);
      }
    }
    expect(elapsed()).toBeLessThan(3000);
  });
});
