import { describe, expect, it } from 'vitest';
import type { StreamChunkTimes } from './chunk-times.ts';
import { verifySegmentOrder } from './verify-segment-order.ts';

/** A segment of four seconds: where it begins on the clock of its file, and its content. */
interface TestSegment {
  readonly from: number;
  readonly content: string;
}

/** Segments of one encoder, whose clock begins at 1.4 s as that of FFmpeg does. */
const encoded = (count: number, content = 'film', begin = 1.4): TestSegment[] =>
  Array.from({ length: count }, (_, at) => ({ from: begin + 4 * at, content: `${content} ${at}` }));

/** Returns when a stream plays; audio is a little ahead, and its frames do not end with those of the video. */
function streamOf(segments: readonly (TestSegment | undefined)[], isVideo: boolean): StreamChunkTimes {
  const shift = isVideo ? 0 : -0.7;
  const timeRanges = segments.map((segment, at) => {
    if (segment === undefined) return undefined;
    const first = segment.from + shift + (isVideo ? 0 : 0.02 * (at % 2));
    return { first, end: segment.from + shift + 4, back: 0 };
  });
  return { video: isVideo, timeRanges, longestPause: 0.04, averagePause: 0.04 };
}

function check(segments: readonly (TestSegment | undefined)[], relisted: readonly number[] = []) {
  // All segments have the same size, as those with a constant bit rate do.
  const ends = segments.map((_, at) => 1000 * (at + 1));
  const playlist = { first: 3, inAll: 20, seconds: segments.map(() => 4), relisted };
  const digestOf = (from: number, to: number) => {
    expect(to - from).toBe(1000);
    return segments[from / 1000]?.content ?? '';
  };
  const streams = [streamOf(segments, true), streamOf(segments, false)];
  return () => verifySegmentOrder({ playlist, ends, streams, digestOf, jobInput: 1 });
}

const incomplete = (message: string) =>
  expect.objectContaining({ code: 'input_incomplete', message: expect.stringContaining(message) });

/** Returns all orders of a list. */
function ordersOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((first, at) => ordersOf(items.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}

const film = encoded(5);
const pick = (...indexes: number[]) => indexes.map((index) => film[index]);

describe('segments that a server sent incorrectly', () => {
  it('are refused in every other order', () => {
    for (const order of ordersOf([0, 1, 2, 3, 4]).slice(1)) {
      expect(check(pick(...order)), `${order}`).toThrow(incomplete('is out of order: its media comes directly before'));
    }
  });

  it('are refused if any of them is sent in place of another one', () => {
    for (const sent of film.keys()) {
      for (const at of film.keys()) {
        if (at === sent) continue;
        const [first, second] = [Math.min(at, sent) + 3, Math.max(at, sent) + 3];
        const message = `Segment ${second} of 20 of input 2 holds the same media as segment ${first}, although`;
        expect(check(film.with(at, film[sent] ?? { from: 0, content: '' }))).toThrow(incomplete(message));
      }
    }
  });

  it.each([
    ['the same at every address', pick(2, 2, 2, 2, 2), 'Segment 4 of 20 of input 2 holds the same media as segment 3'],
    ['the first half twice', pick(0, 1, 0, 1), 'Segment 5 of 20 of input 2 holds the same media as segment 3'],
    ['a later one in a clip', pick(0, 4, 3), 'Segment 5 of 20 of input 2 is out of order'],
    ['around an empty one', [...pick(1), undefined, ...pick(0)], 'its media comes directly before that of segment 3.'],
    ['before a restart', [...pick(1, 0), ...encoded(3, 'next')], 'Segment 4 of 20 of input 2 is out of order'],
    ['repeated after a restart', [...pick(0, 1), ...encoded(2, 'next'), ...pick(1)], 'the same media as segment 4'],
  ])('are refused: %s', (_what, segments, message) => {
    expect(check(segments)).toThrow(incomplete(message));
  });
});

describe('valid segments', () => {
  it.each<[string, (TestSegment | undefined)[], number[]?]>([
    ['in order', film],
    ['of an encoder that restarts with the same timestamps', [...film, ...encoded(5, 'next')]],
    ['of one that restarts for each segment', Array.from({ length: 9 }, (_, at) => ({ from: 1.4, content: `${at}` }))],
    ['of one that restarts at zero after hours', [...encoded(5, 'film', 9000), ...encoded(5, 'next', 0)]],
    ['of one that plays past its first beginning', [...encoded(2, 'film', 10), ...encoded(8, 'next', 1.4)]],
    ['whose clock jumps ahead', [...film, ...encoded(5, 'next', 500)]],
    ['with an advertisement in between', [...pick(0, 1), ...encoded(3, 'advertisement', 0), ...pick(2, 3)]],
    ['of which some are missing', [...pick(0), undefined, ...pick(2, 3)]],
    ['that the playlist lists repeatedly', pick(0, 1, 0, 1, 0), [2, 3, 4]],
    ['without media', [undefined, undefined]],
  ])('are accepted: %s', (_what, segments, relisted) => {
    expect(check(segments, relisted)).not.toThrow();
  });
});
