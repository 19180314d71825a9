import { describe, expect, it } from 'vitest';
import { timelineStarts } from './timeline-starts.ts';

const ts = (first: number) => ({ clock: 'mpeg', first }) as const;
const mp4 = (first: number) => ({ clock: 'presentation', first }) as const;
const mp3 = (first: number) => ({ clock: 'none', first }) as const;
const turn = 2 ** 33 / 90_000;

describe('the timelines of job inputs', () => {
  it('share a clock if their timestamps have an origin and begin close together', () => {
    expect(timelineStarts([mp4(10), mp4(10.3)])).toEqual([10, 10]);
    expect(timelineStarts([mp4(10), mp4(10.3), ts(3)])).toEqual([10, 10, 3]);
    expect(timelineStarts([mp4(0), mp4(21)])).toEqual([0, 21]);
    expect(timelineStarts([mp4(5)])).toEqual([5]);
  });

  it('each begin at their first timestamp if it has no origin, however close together', () => {
    expect(timelineStarts([ts(10), ts(10.3)])).toEqual([10, 10.3]);
    expect(timelineStarts([ts(1.4), mp3(0.025)])).toEqual([1.4, 0.025]);
    expect(timelineStarts([ts(1.4), mp4(1.5)])).toEqual([1.4, 1.5]);
  });

  it('begin with their sources, of which excerpts with the old timestamps are parts', () => {
    expect(timelineStarts([{ ...mp4(18), excerptStart: 18 }, mp4(0.1)])).toEqual([0, 0]);
    const rebased = [mp4(0), mp4(0)].map((each, jobInput) => ({ ...each, jobInput, excerptStart: 18 + jobInput }));
    expect(timelineStarts(rebased)).toEqual([-18, -19]);
  });
});

describe('the timelines of the files of one job input', () => {
  const of = (first: number, duration = 60) => ({ ...ts(first), jobInput: 0, duration });

  it('share a clock however far apart they begin, unless one begins after the other has ended', () => {
    expect(timelineStarts([of(10), of(35)])).toEqual([10, 10]);
    expect(timelineStarts([of(10), of(71)])).toEqual([10, 71]);
    expect(timelineStarts([of(10), of(35), { ...of(12), jobInput: 1 }])).toEqual([10, 10, 12]);
    expect(timelineStarts([of(10), { ...of(35), clock: 'none' }])).toEqual([10, 35]);
  });

  it('share a clock that wraps around between them', () => {
    const [video = 0, audio = 0] = timelineStarts([of(turn - 3), of(2)]);
    expect([video, audio]).toEqual([expect.closeTo(turn - 3), expect.closeTo(-3)]);
    // The library counts the seconds before a wrap as negative.
    const [late = 0, early = 0] = timelineStarts([of(-3), of(turn - 10)]);
    expect([late, early]).toEqual([expect.closeTo(-10), expect.closeTo(turn - 10)]);
  });
});
