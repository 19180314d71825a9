import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evenPackets, statsOf, type TestPacket } from '../testing/make-stream-stats.ts';
import { FileStats, type StreamStats } from './stream-stats.ts';

const wrap = 2 ** 33 / 90_000;
const near = (seconds: number) => expect.closeTo(seconds, 6);

const longestOf = (stats: StreamStats | undefined) => stats?.gaps?.[0]?.seconds ?? 0;

/** Merges packets of several streams in the order of their times. */
function interleave(...streams: TestPacket[][]): TestPacket[] {
  return streams.flat().toSorted((a, b) => a.at - b.at);
}

/** Returns a second of video and audio, whose clock starts at `start`. */
const second = (start: number) => interleave(evenPackets(1, 0.04, start), evenPackets(1, 0.02, start + 0.1, 1));

describe('statistics of one clock', () => {
  it('contain the start and end of a stream, and its longest gap', () => {
    const packets = [...evenPackets(1, 0.1, 5), ...evenPackets(1, 0.1, 8)];
    expect(statsOf([packets])).toEqual([
      { first: 5, last: near(8.9), end: near(9), packets: 20, gaps: expect.anything(), jumps: 0 },
    ]);
  });

  it('list the longest gaps and their positions', () => {
    const packets = [...evenPackets(1, 0.1, 5), ...evenPackets(1, 0.1, 8), ...evenPackets(1, 0.1, 14)];
    const gaps = statsOf([packets])[0]?.gaps ?? [];
    expect(gaps).toHaveLength(16);
    expect(gaps.slice(0, 3)).toEqual([
      { seconds: near(5.1), at: near(8.9) },
      { seconds: near(2.1), at: near(5.9) },
      { seconds: near(0.1), at: expect.any(Number) },
    ]);
  });

  it('are absent for a stream without packets, and have no gap if there is one packet', () => {
    expect(statsOf([[{ at: 3, duration: 2 }]], false, 2)).toEqual([
      { first: 3, last: 3, end: 5, packets: 1, gaps: [], jumps: 0 },
      undefined,
    ]);
  });

  it('contain gaps in presentation order', () => {
    const order = [0, 4, 2, 1, 3, 8, 6, 5, 7, 12, 10, 9, 11];
    const packets = order.map((at, place) => ({ at: place * 0.1, presented: 0.2 + at * 0.1, duration: 0.1 }));
    expect(statsOf([packets])[0]).toMatchObject({
      first: 0.2,
      gaps: Array(12).fill({ seconds: near(0.1), at: expect.any(Number) }),
    });
  });

  it('count a long silence as a gap if clocks do not jump', () => {
    const packets = [...evenPackets(1, 0.1), ...evenPackets(1, 0.1, 100)];
    expect(statsOf([packets])[0]).toMatchObject({ end: near(101), jumps: 0 });
    expect(longestOf(statsOf([packets])[0])).toBeCloseTo(99.1, 6);
  });

  it('fill in missing times', () => {
    const stats = new FileStats({ continuous: [true], mayJump: false });
    for (let packet = 0; packet < 10; packet += 1) stats.add(0, undefined, undefined, 0.1);
    expect(stats.all()[0]).toMatchObject({ first: 0, last: near(0.9), end: near(1) });
    expect(longestOf(stats.all()[0])).toBeCloseTo(0.1, 6);
  });
});

describe('statistics of a clock that jumps', () => {
  it('continue after a 33-bit clock wraps around', () => {
    const packets = evenPackets(4, 0.04, wrap - 2).map(({ at, duration = 0 }) => ({ at: at % wrap, duration }));
    expect(statsOf([packets], true)[0]).toMatchObject({
      end: near(wrap + 2),
      gaps: Array(16).fill({ seconds: near(0.04), at: expect.any(Number) }),
      jumps: 0,
    });
  });

  it.each([
    ['restarts', [second(1.4), second(1.4), second(1.4)]],
    ['jumps back', [second(5000), second(1.4), second(1)]],
    ['jumps ahead', [second(1.4), second(5000), second(70_000)]],
  ])('join the parts of a clock that %s', (_what, parts) => {
    const [video, audio] = statsOf([parts.flat()], true, 2);
    const begin = video?.first ?? 0;
    expect([video?.jumps, audio?.jumps]).toEqual([2, 2]);
    expect((video?.end ?? 0) - begin).toBeCloseTo(3.2, 1);
    expect((audio?.end ?? 0) - begin).toBeCloseTo(3.3, 1);
    expect(longestOf(video)).toBeLessThan(0.2);
  });

  it('do not count a silent stream as a jump while others continue', () => {
    const picture = [...evenPackets(1, 0.04), ...evenPackets(1, 0.04, 16)];
    const [video] = statsOf([interleave(picture, evenPackets(17, 0.02, 0, 1))], true, 2);
    expect(video).toMatchObject({ end: near(17), jumps: 0 });
    expect(longestOf(video)).toBeCloseTo(15.04, 6);
  });
});

describe('statistics of announced parts', () => {
  it('begin each part where all streams of the previous one end', () => {
    // A small step forward, which only the announcement distinguishes from a gap.
    const [video, audio] = statsOf([second(1.4), second(4), second(1.4)], true, 2);
    expect(video).toEqual({
      first: 1.4,
      last: near(4.56),
      end: near(4.6),
      packets: 75,
      gaps: expect.anything(),
      jumps: 0,
    });
    expect(longestOf(video)).toBeCloseTo(0.14, 6);
    expect(audio).toMatchObject({ first: near(1.5), end: near(4.7), jumps: 0 });
  });

  it('contain a gap for a stream that a part lacks', () => {
    const [, audio] = statsOf([second(0), evenPackets(5, 0.04), second(0)], true, 2);
    expect(audio?.gaps?.[0]).toEqual({ seconds: near(5.12), at: near(1.08) });
  });
});

it('statistics do not depend on the start of the clock', () => {
  const steps = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(steps, fc.integer({ min: -90_000, max: 9_000_000 }), (milliseconds, start) => {
      let time = start / 1000;
      const packets = milliseconds.map((length) => {
        const packet = { at: time, duration: length / 1000 };
        time += length / 1000;
        return packet;
      });
      const [stats] = statsOf([packets], true);
      expect(stats?.packets).toBe(milliseconds.length);
      expect((stats?.end ?? 0) - (stats?.first ?? 0)).toBeCloseTo(time - start / 1000, 4);
      expect(longestOf(stats)).toBeCloseTo(Math.max(0, ...milliseconds.slice(0, -1)) / 1000, 4);
    }),
    { seed: 3 },
  );
});
