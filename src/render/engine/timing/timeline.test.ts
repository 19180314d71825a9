import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { Timeline, type Timestamps } from './timeline.ts';

const clock = { num: 1, den: 1000 };
const video = { base: clock, lead: 0.08 };
const audio = { base: clock, lead: 0 };

const at = (ms: number, duration = 40): Timestamps => ({
  dts: BigInt(ms),
  pts: BigInt(ms),
  duration: BigInt(duration),
});
/** Returns the timestamps of a frame of {@link video}. */
const pictureAt = (ms: number): Timestamps => ({ ...at(ms), pts: BigInt(ms + 80) });
const dtsOf = (timeline: Timeline, stream: number, ms: number) => Number(timeline.correct(stream, at(ms)).dts);

describe('a clock without jumps', () => {
  it('begins at zero and keeps the distance between streams', () => {
    const timeline = new Timeline([video, audio], 10, false);
    expect(timeline.position).toBe(Number.NEGATIVE_INFINITY);
    expect(dtsOf(timeline, 0, 10_000)).toBe(0);
    expect(dtsOf(timeline, 1, 10_300)).toBe(300);
    expect(timeline.position).toBeCloseTo(0.3);
    expect(timeline.origin).toBe(-10);
  });

  it('leaves gaps unchanged', () => {
    const timeline = new Timeline([video], 0, false);
    expect(dtsOf(timeline, 0, 0)).toBe(0);
    expect(dtsOf(timeline, 0, 60_000)).toBe(60_000);
  });

  it('reports when a stream plays', () => {
    const timeline = new Timeline([video, audio], 1, false);
    timeline.correct(0, { dts: 1000n, pts: 1080n, duration: 40n });
    timeline.correct(0, { dts: 1040n, pts: 1040n, duration: 40n });
    expect(timeline.extent(0)).toEqual({ first: expect.closeTo(0.04), end: expect.closeTo(0.12) });
    expect(timeline.extent(1)).toBeUndefined();
    expect(timeline.extent(7)).toBeUndefined();
  });

  it('fills in missing decoding times: ahead of the first presented frame, then consecutively', () => {
    const timeline = new Timeline([video], 0, false);
    const dtsValues = [0, 120, 80].map((pts) => {
      return Number(timeline.correct(0, { dts: undefined, pts: BigInt(pts), duration: 40n }).dts);
    });
    expect(dtsValues).toEqual([-80, -40, 0]);
  });

  it('leaves a packet without any time unchanged until another packet has one', () => {
    const timeline = new Timeline([audio], 0, false);
    const none: Timestamps = { dts: undefined, pts: undefined, duration: 40n };
    expect(timeline.correct(0, none)).toEqual(none);
    timeline.correct(0, at(100));
    expect(timeline.correct(0, none)).toEqual({ ...none, dts: 140n });
  });
});

describe('a clock with jumps', () => {
  it('does not count a silent stream as a jump while another continues', () => {
    const timeline = new Timeline([video, audio], 0, true);
    expect(dtsOf(timeline, 0, 0)).toBe(0);
    for (let ms = 0; ms < 20_000; ms += 40) expect(dtsOf(timeline, 1, ms)).toBe(ms);
    expect(dtsOf(timeline, 0, 20_000)).toBe(20_000);
    expect(dtsOf(timeline, 1, 20_000)).toBe(20_000);
  });

  it('does not count a sparse stream that resumes as a jump', () => {
    const subtitles = { base: clock, lead: 0, sparse: true };
    const timeline = new Timeline([audio, subtitles], 0, true);
    expect(dtsOf(timeline, 1, 0)).toBe(0);
    for (let ms = 0; ms <= 60_000; ms += 40) dtsOf(timeline, 0, ms);
    expect(dtsOf(timeline, 1, 60_000)).toBe(60_000);
    expect(dtsOf(timeline, 0, 60_040)).toBe(60_040);
  });

  it('continues directly after a jump', () => {
    const timeline = new Timeline([video], 1, true);
    expect([1000, 1040, 50_000_000, 50_000_040].map((ms) => dtsOf(timeline, 0, ms))).toEqual([0, 40, 80, 120]);
  });

  it('continues directly when the clock goes back', () => {
    const timeline = new Timeline([video], 0, true);
    expect([0, 200, 400, 0, 200].map((ms) => dtsOf(timeline, 0, ms))).toEqual([0, 200, 400, 440, 640]);
  });

  it('moves the other streams together with the first one that jumped', () => {
    const timeline = new Timeline([video, audio], 0, true);
    expect(timeline.correct(0, pictureAt(0)).dts).toBe(0n);
    expect(dtsOf(timeline, 1, 10)).toBe(10);
    expect(timeline.correct(0, pictureAt(90_000)).dts).toBe(40n);
    expect(dtsOf(timeline, 1, 90_010)).toBe(50);
  });

  it('distinguishes packets before a small restart from those after it, in every stream', () => {
    const timeline = new Timeline([audio, audio], 0, true);
    const packetsRead: [stream: number, ms: number][] = [
      ...[
        [0, 0],
        [1, 0],
        [0, 2000],
        [1, 2000],
      ],
      // One more packet of the second stream is from before the restart.
      ...[
        [0, 0],
        [1, 2040],
        [1, 0],
        [0, 2000],
        [1, 2000],
      ],
      ...[
        [1, 0],
        [0, 2040],
        [0, 0],
      ],
    ] as [number, number][];
    expect(packetsRead.map(([stream, ms]) => dtsOf(timeline, stream, ms))).toEqual([
      ...[0, 0, 2000, 2000],
      ...[2040, 2040, 2040, 4040, 4040],
      ...[4080, 4080, 4080],
    ]);
  });

  it('continues after the stream that ends last', () => {
    const timeline = new Timeline([video, audio], 0, true);
    for (const ms of [0, 1000]) timeline.correct(0, pictureAt(ms));
    for (const ms of [0, 1500]) dtsOf(timeline, 1, ms);
    // The video, presented 80 ms later, ends at 1120; the audio at 1540.
    expect(timeline.correct(0, pictureAt(0)).dts).toBe(1460n);
    expect(dtsOf(timeline, 1, 80)).toBe(1540);
  });

  it('aligns subtitles with the other streams', () => {
    const subtitles = { base: clock, lead: 0, sparse: true };
    const timeline = new Timeline([audio, subtitles], 0, true);
    for (const ms of [0, 4000]) dtsOf(timeline, 0, ms);
    expect(dtsOf(timeline, 1, 3000)).toBe(3000);
    for (const ms of [0, 1000]) dtsOf(timeline, 0, ms);
    expect(dtsOf(timeline, 1, 500)).toBe(4540);
  });

  it('aligns a stream that begins late with the others', () => {
    const timeline = new Timeline([video, audio], 0, true);
    expect(dtsOf(timeline, 0, 0)).toBe(0);
    expect(dtsOf(timeline, 1, 90_000)).toBe(0);
  });

  it('does not count rare frames that are decoded long before their presentation as a jump', () => {
    const timeline = new Timeline([video, audio], 20, true);
    const dtsValues = [
      [1, 20_000, 20_000],
      [0, 0, 20_000],
      [1, 20_040, 20_040],
      [0, 10_000, 60_000],
      [0, 20_000, 40_000],
      [0, 30_000, 30_000],
      [0, 40_000, 50_000],
    ].map(([stream = 0, dts = 0, pts = 0]) => {
      return timeline.correct(stream, { dts: BigInt(dts), pts: BigInt(pts), duration: 40n }).dts;
    });
    expect(dtsValues).toEqual([0n, -20_000n, 40n, -10_000n, 0n, 10_000n, 20_000n]);
  });

  it('keeps small gaps and small steps back', () => {
    const timeline = new Timeline([video], 0, true);
    expect([0, 5000, 4950].map((ms) => dtsOf(timeline, 0, ms))).toEqual([0, 5000, 4950]);
  });
});

describe('the clock of a part', () => {
  it('begins at the given time', () => {
    const timeline = new Timeline([video, audio], 10, true, 4);
    expect(timeline.position).toBe(4);
    expect(dtsOf(timeline, 0, 10_000)).toBe(4000);
    expect(timeline.origin).toBe(-6);
    expect(dtsOf(timeline, 0, 90_000)).toBe(4040);
    expect([timeline.origin, timeline.lastOrigin]).toEqual([-6, expect.closeTo(-85.96)]);
  });
});

it('corrected timestamps stay close to the expected position for any sequence', () => {
  const stamp = fc.option(fc.bigInt({ min: -(2n ** 40n), max: 2n ** 40n }), { nil: undefined });
  const packet = fc.record({ dts: stamp, pts: stamp, duration: fc.bigInt({ min: 0n, max: 100_000n }) });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(1), packet)), fc.boolean(), (packets, jumps) => {
      const timeline = new Timeline([video, audio], 0, jumps);
      let last: number | undefined;
      for (const [stream, stamps] of packets) {
        const { dts, pts } = timeline.correct(stream, stamps);
        expect(pts === undefined).toBe(stamps.pts === undefined);
        if (dts === undefined) continue;
        expect(timeline.position).not.toBeNaN();
        // Once jumps are removed, a step is at most a packet of 100 s, a minute of early decoding, and the jump
        // threshold.
        if (jumps && last !== undefined) expect(timeline.position - last).toBeLessThanOrEqual(170.1);
        last = Math.max(last ?? timeline.position, timeline.position);
      }
    }),
    { seed: 7, numRuns: propertyRuns(300) },
  );
});
