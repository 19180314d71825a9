import { expect, it } from 'vitest';
import { type TestSample, testSamples } from '../testing/mp4-tracks.ts';
import { sampleStats } from './sample-stats.ts';

const even = (count: number, duration: number): TestSample[] =>
  Array.from({ length: count }, () => ({ size: 1, duration }));
const near = (seconds: number) => expect.closeTo(seconds, 9);

it('reports times on the track’s own clock', () => {
  expect(sampleStats(testSamples(even(10, 40), 2000), { timescale: 1000 })).toEqual({
    first: 2,
    last: near(2.36),
    end: near(2.4),
    packets: 10,
    listed: true,
    gaps: Array.from({ length: 9 }, (_, at) => ({ seconds: 0.04, at: near(2 + at * 0.04) })),
    jumps: 0,
  });
});

it('counts samples that an edit removes, at times before the start of the remaining samples', () => {
  const edit = { delay: 0.5, mediaTime: 1024 };
  expect(sampleStats(testSamples(even(4, 1024)), { timescale: 48_000, edit })).toMatchObject({
    first: near(0.5 - 1024 / 48_000),
    end: near(0.5 + (3 * 1024) / 48_000),
  });
});

it('finds the longest gaps in presentation order', () => {
  const compositions = [80, 160, 40, 0, 80];
  const samples = even(5, 40).map((sample, at) => ({ ...sample, composition: compositions[at] ?? 0 }));
  // The samples are presented at 80, 200, 120, 120 and 240.
  expect(sampleStats(testSamples(samples), { timescale: 1000 })).toMatchObject({
    first: 0.08,
    last: 0.24,
    gaps: [
      { seconds: 0.08, at: 0.12 },
      { seconds: 0.04, at: 0.08 },
      { seconds: 0.04, at: 0.2 },
    ],
  });
  const slide = [...even(2, 40), { size: 1, duration: 8000 }, ...even(2, 40)];
  expect(sampleStats(testSamples(slide), { timescale: 1000 })?.gaps?.[0]).toEqual({ seconds: 8, at: 0.08 });
});

it('returns nothing for a track without samples', () => {
  expect(sampleStats(testSamples([]), { timescale: 1000 })).toBeUndefined();
});
