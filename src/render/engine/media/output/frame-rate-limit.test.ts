import { describe, expect, it } from 'vitest';
import { FrameRateLimit } from './frame-rate-limit.ts';

const milliseconds = { num: 1, den: 1000 };

/** Returns the times of the frames that are kept, in milliseconds. */
function keptTimes(limit: FrameRateLimit, times: readonly number[]): number[] {
  return times.filter((time) => limit.keeps({ pts: BigInt(time), duration: 1n }, milliseconds));
}

const timesOf = (fps: number, seconds: number) =>
  Array.from({ length: Math.round(fps * seconds) }, (_, at) => Math.round((at * 1000) / fps));

describe('FrameRateLimit', () => {
  it.each([
    [50, 25, 25],
    [60, 30, 30],
    [60_000 / 1001, 30, 30_000 / 1001],
    [25, 10, 10],
    [24, 1, 1],
    [120, 50, 50],
  ])('reduces %d frames per second to at most %d', (source, maximum, expected) => {
    const limit = new FrameRateLimit(maximum, source);
    expect(limit.rate).toBeCloseTo(expected, 6);
    const kept = keptTimes(limit, timesOf(source, 20));
    expect(kept.length).toBeGreaterThanOrEqual(Math.floor(20 * expected) - 1);
    expect(kept.length).toBeLessThanOrEqual(Math.ceil(20 * expected) + 1);
  });

  it('drops every second frame evenly, despite rounded times', () => {
    const kept = keptTimes(new FrameRateLimit(30, 60), timesOf(60, 10));
    const steps = kept.slice(1).map((time, at) => time - (kept[at] ?? 0));
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(32);
    expect(Math.max(...steps)).toBeLessThanOrEqual(35);
  });

  it('keeps the frames of a slow part, and the first one after a gap', () => {
    expect(keptTimes(new FrameRateLimit(10, undefined), [0, 50, 100, 500, 1000, 5000, 5050, 5110])).toEqual([
      0, 100, 500, 1000, 5000, 5110,
    ]);
  });

  it('makes kept frames last until the next one', () => {
    const frame = { pts: 0n, duration: 20n };
    new FrameRateLimit(25, 50).keeps(frame, milliseconds);
    expect(frame.duration).toBe(40n);
  });

  it('states NTSC rates exactly', () => {
    expect(new FrameRateLimit(30, 60_000 / 1001).frameRate).toEqual({ num: 30_000, den: 1001 });
  });
});
