import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { FileStats } from './stream-stats.ts';
import { Timeline } from './timeline.ts';

/** A packet of a recording, in seconds on the recorder's clock. */
interface TestPacket {
  readonly stream: number;
  readonly dts: number;
  readonly pts: number;
  readonly duration: number;
}

const base = { num: 1, den: 90_000 };
const ticks = (seconds: number) => BigInt(Math.round(seconds * base.den));

/**
 * Returns video with `lead` frames between decoding and presentation, in groups of one P-frame and as many B-frames.
 */
function video(start: number, seconds: number, frame: number, lead: number): TestPacket[] {
  const count = Math.max(1, Math.round(seconds / frame));
  return Array.from({ length: count }, (_, at) => {
    const inGroup = (at - 1) % (lead + 1);
    const size = Math.min(lead + 1, count - (at - inGroup));
    const frameIndex = at === 0 || lead === 0 ? at : inGroup === 0 ? at + size - 1 : at - 1;
    const pts = start + (frameIndex + Math.min(1, lead)) * frame;
    return { stream: 0, dts: start + at * frame, pts, duration: frame };
  });
}

function audio(start: number, seconds: number, step: number): TestPacket[] {
  return Array.from({ length: Math.max(1, Math.round(seconds / step)) }, (_, at) => {
    const time = start + at * step;
    return { stream: 1, dts: time, pts: time, duration: step };
  });
}

const somePart = fc.record({
  seconds: fc.integer({ min: 10, max: 50 }),
  /** The clock restarts, or continues at any other time. */
  start: fc.oneof(fc.constant(14), fc.integer({ min: 0, max: 950_000 })),
  /** Tenths of a second by which audio begins late and ends early, and by which it is written late. */
  late: fc.nat(3),
  early: fc.nat(8),
  behind: fc.nat(5),
});

const someRecording = fc.record({
  parts: fc.array(somePart, { minLength: 2, maxLength: 30 }),
  frame: fc.constantFrom(1 / 25, 1001 / 30_000, 1 / 50, 0.2),
  lead: fc.nat(2),
  step: fc.constantFrom(1024 / 44_100, 1024 / 48_000, 1152 / 48_000),
  streams: fc.constantFrom<number[]>([0], [1], [0, 1]),
});

/** The clock goes back by exactly a tenth of a second, which does not count as a jump. */
const exactlyTheTolerance = {
  parts: [
    { seconds: 11, start: 5, late: 0, early: 0, behind: 0 },
    { seconds: 10, start: 14, late: 0, early: 0, behind: 0 },
    { seconds: 10, start: 14, late: 0, early: 0, behind: 0 },
  ],
  frame: 0.2,
  lead: 0,
  step: 1024 / 44_100,
  streams: [0],
};

it('the timeline agrees with the statistics of the input after any number of clock jumps', () => {
  fc.assert(
    fc.property(someRecording, ({ parts, frame, lead, step, streams }) => {
      const packets = parts.flatMap(({ seconds, start, late, early, behind }) => {
        const [from, length] = [start / 10, seconds / 10];
        const delay = Math.min(1, lead) * frame;
        const sound = audio(from + delay + late / 10, length - early / 10, step);
        const writtenAt = ({ stream, dts }: TestPacket) => dts + stream * (behind / 10);
        return [...video(from, length, frame, lead), ...sound]
          .filter(({ stream }) => streams.includes(stream))
          .toSorted((a, b) => writtenAt(a) - writtenAt(b));
      });
      const first = Math.min(...streams.map((stream) => packets.find((one) => one.stream === stream)?.pts ?? 0));
      const timeline = new Timeline(
        [0, 1].map((stream) => ({ base, lead: stream === 0 ? lead * frame : 0 })),
        first,
        true,
      );
      const expected = new FileStats({ continuous: [true, true], mayJump: true });
      const actual = new FileStats({ continuous: [true, true], mayJump: false });
      for (const { stream, dts, pts, duration } of packets) {
        expected.add(stream, dts, pts, duration);
        const stamps = { dts: ticks(dts), pts: ticks(pts), duration: ticks(duration) };
        const { dts: correctedDts = 0n, pts: correctedPts = 0n } = timeline.correct(stream, stamps);
        actual.add(stream, Number(correctedDts) / base.den, Number(correctedPts) / base.den, duration);
      }
      for (const stream of streams) {
        const [should, is] = [expected.all()[stream], actual.all()[stream]];
        expect(should?.packets).toBe(is?.packets);
        const length = (should?.last ?? 0) - (should?.first ?? 0);
        expect((is?.last ?? 0) - (is?.first ?? 0)).toBeCloseTo(length, 2);
      }
    }),
    { seed: 4, numRuns: propertyRuns(200), examples: [[exactlyTheTolerance]] },
  );
});
