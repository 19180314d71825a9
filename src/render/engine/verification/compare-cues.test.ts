import { describe, expect, it, test } from 'vitest';
import type { CueOrigin } from '../tasks/report.ts';
import { evenStats } from '../testing/make-stream-stats.ts';
import type { CueStats } from '../timing/cue-stats.ts';
import { compareCues } from './compare-cues.ts';

const cues: CueStats = { count: 10, first: 1, last: 55, mean: 28 };
const stats = evenStats(60, 0.04);
const origin: CueOrigin = { file: 0, read: cues, writtenCues: cues, missing: 0, moved: false };
const { writtenCues: _, ...withoutWrittenCues } = origin;

/** Returns the difference that `compareCues` finds in a film with the given cues. */
function difference(
  changes: Partial<CueOrigin>,
  samples: CueStats | undefined = cues,
  probedCues = samples,
  from = origin,
) {
  const sources = [{ file: 0, input: 0, undecoded: 0, stats }];
  const video = { kind: 'video', codec: 'h264', stats, origin: { action: 'copy', sources } } as const;
  const subtitle = { kind: 'subtitle', codec: 'mov_text' } as const;
  return compareCues(
    [video, { ...subtitle, ...(samples && { cues: samples }), cueOrigin: { ...from, ...changes } }],
    [video, { ...subtitle, ...(probedCues && { cues: probedCues }) }],
  );
}

test('cues at unchanged times are accepted', () => {
  expect(difference({})).toBeUndefined();
  expect(difference({ writtenCues: { ...cues, first: 1.2 } })).toBeUndefined();
  // If cues overlap, there are more samples than cues.
  expect(difference({}, { ...cues, count: 19, mean: 29 })).toBeUndefined();
  expect(difference({ writtenCues: { ...cues, count: 8, mean: 20 }, missing: 2 })).toBeUndefined();
  expect(difference({ writtenCues: { ...cues, first: 2 }, moved: true })).toBeUndefined();
  // The file was only partly read, or has no cue.
  const { read: __, ...none } = withoutWrittenCues;
  expect(compareCues([{ kind: 'subtitle', codec: 'subrip', cueOrigin: none }], [])).toBeUndefined();
});

describe('compareCues', () => {
  it.each<[string, string | undefined, RegExp]>([
    ['a missing cue', difference({ writtenCues: { ...cues, count: 9 } }), /have 9 cues instead of 10/],
    ['no cue', difference({}, cues, cues, withoutWrittenCues), /have 0 cues instead of 10/],
    ['one cue too many', difference({ missing: 1 }), /have 10 cues instead of 9/],
    [
      'a late end',
      difference({ writtenCues: { ...cues, last: 63 } }),
      /a last cue that begins at 63.0 s instead of 55.0/,
    ],
    [
      'a shift in the middle',
      difference({ writtenCues: { ...cues, mean: 29 } }),
      /begin on average at 29.0 s instead of 28/,
    ],
    ['samples that are not in the file', difference({}, cues, { ...cues, count: 8 }), /8 cues instead of 10/],
    ['moved samples', difference({}, cues, { ...cues, first: 2 }), /a first cue that begins at 2.0 s instead of 1/],
  ])('refuses %s', (_what, difference, reason) => {
    expect(difference).toMatch(reason);
    expect(difference).toMatch(/^its mov_text subtitles have /);
  });
});

test("cues are compared relative to the start of the file on the result's clock", () => {
  const sources = [{ file: 0, input: 0, undecoded: 0, stats: { ...stats, first: 30, last: 90, end: 90 } }];
  const video = { kind: 'video', codec: 'h264', stats, origin: { action: 'copy', sources } } as const;
  const read = { count: 10, first: 31, last: 85, mean: 58 };
  const subtitle = { kind: 'subtitle', codec: 'subrip', cues, cueOrigin: { ...origin, read } } as const;
  expect(compareCues([video, subtitle], [video, subtitle])).toBeUndefined();
  const late = { ...subtitle, cueOrigin: { ...origin, read, writtenCues: read } };
  expect(compareCues([video, late], [video, late])).toMatch(/begins at 31.0 s instead of 1.0/);
});
