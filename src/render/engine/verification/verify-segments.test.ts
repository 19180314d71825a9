import { describe, expect, it } from 'vitest';
import { ChunkTimes, type TimedPacket } from './chunk-times.ts';
import { verifySegments } from './verify-segments.ts';

/** What a stream shows in one segment: from when to when, every so many seconds. */
interface SegmentShape {
  readonly from: number;
  readonly to: number;
  readonly every?: number;
}

/** Bytes of a segment. */
const size = 1000;

/** The packets of a segment, spread over its bytes. */
function packetsOf({ from, to, every = 0.04 }: SegmentShape, segment: number): TimedPacket[] {
  const count = Math.round((to - from) / every);
  return Array.from({ length: count }, (_, at) => {
    const time = from + at * every;
    return { position: size * segment + at, presentationTime: time, decodingTime: time, duration: every };
  });
}

/** Segments of four seconds that follow each other. */
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

/** The same with another second segment. */
const withSecond = (second: SegmentShape | undefined) => even(4).with(1, second);

describe('a segment is refused', () => {
  it.each<[string, SegmentShape | undefined, string]>([
    ['without a packet', undefined, 'Segment 4 of 10 of input 2 holds no media, but its playlist declares 4.0 s.'],
    ['of which most is missing', { from: 4, to: 5.2 }, 'Segment 4 of 10 of input 2 holds 1.2 s of media'],
    ['of which most is missing at its beginning', { from: 6.8, to: 8 }, 'holds 1.2 s of media'],
  ])('%s', (_name, second, message) => {
    expect(check({ video: withSecond(second), audio: withSecond(second) })).toThrow(incomplete(message));
    expect(check({ video: withSecond(second) })).toThrow(incomplete(message));
  });

  it('that is repeated, where the clock was evened out', () => {
    const twice = [...even(1), { from: 4, to: 12 }, { from: 12, to: 16 }, { from: 16, to: 20 }];
    expect(check({ audio: twice }, undefined, { jumped: true, wentBack: true })).toThrow(incomplete('takes 8.0 s'));
    const instead = [...even(2), { from: 12, to: 16 }];
    const repeatedSegment = check({ audio: instead }, [4, 4, 4], { jumped: true, wentBack: true });
    expect(repeatedSegment).toThrow(incomplete('Segment 4 of 10 of input 2 takes 8.0 s'));
  });

  it('that is repeated, where the clock goes back', () => {
    const repeatedSegment = even(4).with(2, { from: 4, to: 8 });
    expect(check({ audio: repeatedSegment })).toThrow(incomplete('Segment 5 of 10 of input 2 repeats 4.0 s of media'));
  });
});

describe('valid segments are taken', () => {
  it.each<[string, Record<string, (SegmentShape | undefined)[]>, number[]?]>([
    ['that are what they declare', { video: even(4), audio: even(4) }],
    ['whose audio begins and ends later', { video: even(4), audio: even(4).with(0, { from: 1.5, to: 4 }) }],
    ['without video in one of them', { video: withSecond(undefined), audio: even(4) }],
    [
      'of single pictures',
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
  ])('%s', (_name, streams, seconds) => {
    expect(check(streams, seconds)).not.toThrow();
  });

  it('whatever the gaps between positions of pieces that are no segments', () => {
    const times = new ChunkTimes([500, 1500], ['audio']);
    for (const packet of packetsOf({ from: 0, to: 4 }, 0)) times.add(0, { ...packet, position: packet.position + 500 });
    const playlist = { first: 1, inAll: 1, seconds: [null, 4] };
    expect(verifySegments({ playlist, streams: times.streams(), jumped: false, wentBack: false, jobInput: 0 })).toBe(0);
  });

  it('and packets without a position are in the piece of the one before', () => {
    const times = new ChunkTimes([1000, 2000], ['audio']);
    const packet = { decodingTime: 0, presentationTime: 0, duration: 1 };
    times.add(0, { ...packet, position: 1200 });
    times.add(0, { ...packet, position: -1 });
    expect(times.streams()[0]?.timeRanges).toEqual([undefined, { first: 0, end: 1, back: 0 }]);
  });
});

describe('what a playlist declares too much', () => {
  it.each<[string, (SegmentShape | undefined)[], number[], { jumped?: boolean }, number]>([
    ['counts where a segment ends at the next one', even(4), [4.9, 4.9, 4.9, 4], {}, 2.7],
    ['counts up to a quarter in the last', even(1), [4.9], {}, 0.9],
    ['counts up to a quarter and a second in the last', even(1), [7], {}, 1],
    [
      'does not count where something is missing',
      even(4).map((s) => s && { ...s, to: s.from + 3 }),
      [4, 4, 4, 4],
      {},
      1,
    ],
    ['is not known after a jump', even(4), [4.9, 4.9, 4.9, 4], { jumped: true }, 0],
    ['may be a second where it is rounded', even(4), [5, 5, 5, 5], { jumped: true }, 4],
  ])('%s', (_name, audio, seconds, clock, overstatedSeconds) => {
    expect(check({ audio }, seconds, clock)()).toBeCloseTo(overstatedSeconds);
  });
});
