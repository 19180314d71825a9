import { describe, expect, it } from 'vitest';
import { ChunkTimes, type TimedPacket } from './chunk-times.ts';
import { verifySegments } from './verify-segments.ts';

/** The time range of a stream in one segment, and the interval between its packets. */
interface SegmentShape {
  readonly from: number;
  readonly to: number;
  readonly every?: number;
}

/** Bytes per segment. */
const size = 1000;

/** Returns the packets of a segment, spread over its bytes. */
function packetsOf({ from, to, every = 0.04 }: SegmentShape, segment: number): TimedPacket[] {
  const count = Math.round((to - from) / every);
  return Array.from({ length: count }, (_, at) => {
    const time = from + at * every;
    return { position: size * segment + at, presentationTime: time, decodingTime: time, duration: every };
  });
}

/** Returns contiguous segments of four seconds. */
const even = (count: number): (SegmentShape | undefined)[] =>
  Array.from({ length: count }, (_, at) => ({ from: 4 * at, to: 4 * at + 4 }));

function check(
  streams: Readonly<Record<string, readonly (SegmentShape | undefined)[]>>,
  seconds: readonly number[] = [4, 4, 4, 4],
  clock: { jumped?: boolean; wentBack?: boolean } = {},
) {
  const ends = seconds.map((_, at) => size * (at + 1));
  const kinds = Object.keys(streams).map((name) => name.replace(/\d/, ''));
  const times = new ChunkTimes(ends, kinds);
  Object.values(streams).forEach((segments, stream) => {
    segments.forEach((segment, at) => {
      for (const packet of segment === undefined ? [] : packetsOf(segment, at)) times.add(stream, packet);
    });
  });
  const playlist = { first: 3, inAll: 10, seconds, ends };
  const file = { playlist, streams: times.streams(), jumped: false, wentBack: false, jobInput: 1, ...clock };
  return () => verifySegments(file);
}

const incomplete = (message: string) =>
  expect.objectContaining({ code: 'input_incomplete', message: expect.stringContaining(message) });

/** Returns the same segments, of which the second is replaced. */
const withSecond = (second: SegmentShape | undefined) => even(4).with(1, second);

describe('an invalid segment', () => {
  it.each<[string, SegmentShape | undefined, string]>([
    ['without a packet', undefined, 'Segment 4 of 10 of input 2 holds no media, but its playlist declares 4.0 s.'],
    ['of which most is missing', { from: 4, to: 5.2 }, 'Segment 4 of 10 of input 2 holds 1.2 s of media'],
    ['of which most is missing at its beginning', { from: 6.8, to: 8 }, 'holds 1.2 s of media'],
  ])('is refused: %s', (_name, second, message) => {
    expect(check({ video: withSecond(second), audio: withSecond(second) })).toThrow(incomplete(message));
    expect(check({ video: withSecond(second) })).toThrow(incomplete(message));
  });

  it('is refused if it is repeated and the clock jump was removed', () => {
    const twice = [...even(1), { from: 4, to: 12 }, { from: 12, to: 16 }, { from: 16, to: 20 }];
    expect(check({ audio: twice }, undefined, { jumped: true, wentBack: true })).toThrow(incomplete('lasts 8.0 s'));
    const instead = [...even(2), { from: 12, to: 16 }];
    const repeatedSegment = check({ audio: instead }, [4, 4, 4], { jumped: true, wentBack: true });
    expect(repeatedSegment).toThrow(incomplete('Segment 4 of 10 of input 2 lasts 8.0 s'));
  });

  it('is refused if it is repeated and the clock goes back', () => {
    const repeatedSegment = even(4).with(2, { from: 4, to: 8 });
    expect(check({ audio: repeatedSegment })).toThrow(incomplete('Segment 5 of 10 of input 2 repeats 4.0 s of media'));
  });
});

describe('valid segments', () => {
  it.each<[string, Record<string, (SegmentShape | undefined)[]>, number[]?]>([
    ['that match their declaration', { video: even(4), audio: even(4) }],
    ['whose audio begins and ends later', { video: even(4), audio: even(4).with(0, { from: 1.5, to: 4 }) }],
    ['without video in one of them', { video: withSecond(undefined), audio: even(4) }],
    [
      'of single frames',
      { video: even(4).map((segment) => segment && { ...segment, to: segment.from + 0.1, every: 0.1 }) },
    ],
    [
      'of video that pauses as long elsewhere',
      { video: withSecond({ from: 4, to: 5.2 }).with(2, { from: 8, to: 12, every: 2 }) },
    ],
    ['of which the last declares nothing', { audio: even(3) }, [4, 4, 4, 0.05]],
    ['of which the last plays longer', { audio: even(4).with(3, { from: 12, to: 20 }) }, [4, 4, 4, 1]],
    ['after a pause of the recording', { audio: even(4).with(3, { from: 19, to: 23 }) }],
    [
      'shorter than a second',
      {
        audio: [
          { from: 0, to: 0.2 },
          { from: 0.9, to: 1.1 },
        ],
      },
      [0.9, 0.9],
    ],
  ])('are accepted: %s', (_name, streams, seconds) => {
    expect(check(streams, seconds)).not.toThrow();
  });

  it('are accepted in a file with chunks that are not segments', () => {
    const times = new ChunkTimes([500, 1500], ['audio']);
    for (const packet of packetsOf({ from: 0, to: 4 }, 0)) times.add(0, { ...packet, position: packet.position + 500 });
    const playlist = { first: 1, inAll: 1, seconds: [null, 4] };
    expect(verifySegments({ playlist, streams: times.streams(), jumped: false, wentBack: false, jobInput: 0 })).toBe(0);
  });

  it('assign packets without an offset to the chunk of the previous packet', () => {
    const times = new ChunkTimes([1000, 2000], ['audio']);
    const packet = { decodingTime: 0, presentationTime: 0, duration: 1 };
    times.add(0, { ...packet, position: 1200 });
    times.add(0, { ...packet, position: -1 });
    expect(times.streams()[0]?.timeRanges).toEqual([undefined, { first: 0, end: 1, back: 0 }]);
  });
});

describe('overstated playlist duration', () => {
  it.each<[string, (SegmentShape | undefined)[], number[], { jumped?: boolean }, number]>([
    ['counts if a segment ends where the next one begins', even(4), [4.9, 4.9, 4.9, 4], {}, 2.7],
    ['counts up to a quarter of the last segment', even(1), [4.9], {}, 0.9],
    ['counts up to a second of the last segment', even(1), [7], {}, 1],
    ['does not count if media is missing', even(4).map((s) => s && { ...s, to: s.from + 3 }), [4, 4, 4, 4], {}, 1],
    ['does not count after a jump', even(4), [4.9, 4.9, 4.9, 4], { jumped: true }, 0],
    ['counts up to a second per segment if durations are rounded', even(4), [5, 5, 5, 5], { jumped: true }, 4],
  ])('%s', (_name, audio, seconds, clock, overstatedSeconds) => {
    expect(check({ audio }, seconds, clock)()).toBeCloseTo(overstatedSeconds);
  });
});
