import { describe, expect, it } from 'vitest';
import { FastPathDeclined } from '../binary/fast-path-declined.ts';
import { testSamples, testTrack } from '../testing/mp4-tracks.ts';
import { type Box, childBoxes, requiredBox } from './box-reader.ts';
import { box, fullBox, u32, u64 } from './box-writer.ts';
import { readMovieHead } from './movie-reader.ts';
import { movieBox } from './movie-writer.ts';
import { readTrack } from './track-reader.ts';
import type { TrackTiming } from './track-timing.ts';

const all: TrackTiming = { delay: 0, mediaTime: 0, length: 1, lead: 0, duration: 1 };

/** Builds the body of a `moov` box with one track of one second. */
function index(kind: 'video' | 'audio', timing: Partial<TrackTiming> = {}): Buffer {
  const track = testTrack(kind);
  const samples = testSamples([{ size: 10, duration: track.timescale }]);
  const chunks = { offsets: [100], counts: [1] };
  const moov = movieBox([{ source: { input: 0, track, samples }, timing: { ...all, ...timing }, chunks }], false);
  return moov.subarray(8);
}

/** Returns the boxes of that track. */
function parts(kind: 'video' | 'audio'): Box[] {
  return childBoxes(requiredBox(childBoxes(index(kind)), 'trak'));
}

describe('a written track', () => {
  it.each(['video', 'audio'] as const)('is read back unchanged (%s)', (kind) => {
    const { table: _, ...expectedTrack } = testTrack(kind);
    const [track] = readMovieHead(index(kind)).tracks;
    expect(track).toMatchObject({ ...expectedTrack, ticks: expectedTrack.timescale });
    expect(track).not.toHaveProperty('edit');
  });

  it('keeps its delay and its start', () => {
    const [late] = readMovieHead(index('audio', { delay: 0.5 })).tracks;
    expect(late?.edit).toEqual({ delay: 0.5, mediaTime: 0, length: 1 });
    const [primedTrack] = readMovieHead(index('audio', { mediaTime: 1024, length: 0.75 })).tracks;
    expect(primedTrack?.edit).toEqual({ delay: 0, mediaTime: 1024, length: 0.75 });
    const [long] = readMovieHead(index('audio', { length: 400_000 })).tracks;
    expect(long?.edit).toEqual({ delay: 0, mediaTime: 0, length: 400_000 });
  });
});

it('a movie that is rotated as a whole is declined', () => {
  const rotatedMovie = Buffer.from(index('video'));
  // The first number of the matrix, after the header of the box and 36 further bytes.
  rotatedMovie.writeUInt32BE(0, 8 + 36);
  expect(() => readMovieHead(rotatedMovie)).toThrow('it is rotated as a whole');
});

describe('an edit list', () => {
  const editOf = (...entries: readonly Buffer[]) => {
    const list = box('edts', fullBox('elst', 0, 0, u32(entries.length), ...entries));
    return readTrack(Buffer.concat([...parts('video').map(({ bytes: whole }) => whole), list]), 1000).edit;
  };
  const entry = (length: number, from: number, rate = 0x1_0000) => {
    return Buffer.concat([u32(length), from < 0 ? Buffer.alloc(4, 0xff) : u32(from), u32(rate)]);
  };

  it('consists of a delay and a range of the media', () => {
    expect(editOf(entry(500, -1), entry(2000, 30))).toEqual({ delay: 0.5, mediaTime: 30, length: 2 });
    expect(editOf(entry(0, 30))).toEqual({ delay: 0, mediaTime: 30 });
    expect(editOf()).toBeUndefined();
  });

  it.each([
    ['two ranges', [entry(500, 0), entry(500, 600)]],
    ['three entries', [entry(500, -1), entry(500, 0), entry(500, 600)]],
    ['only a delay', [entry(500, -1)]],
    ['two delays', [entry(500, -1), entry(500, -1)]],
    ['another speed', [entry(500, 0, 0x2_0000)]],
  ])('is declined with %s', (_what, entries) => {
    expect(() => editOf(...entries)).toThrow(FastPathDeclined);
  });
});

describe('a track', () => {
  const readChangedTrack = (change: (boxes: Box[]) => readonly Buffer[]) => () => {
    return readTrack(Buffer.concat([...change(parts('video'))]), 1000);
  };
  const whole = (boxes: readonly Box[]) => boxes.map((one) => one.bytes);

  it.each<[string, (boxes: Box[]) => readonly Buffer[]]>([
    ['with chapters', (boxes) => [...whole(boxes), box('tref', box('chap', u32(2)))]],
    ['without a header', (boxes) => whole(boxes.filter(({ type }) => type !== 'tkhd'))],
    ['with two headers', (boxes) => [...whole(boxes), ...whole(boxes.filter(({ type }) => type === 'tkhd'))]],
    ['if disabled', (boxes) => [fullBox('tkhd', 0, 0, Buffer.alloc(80)), ...whole(boxes.slice(1))]],
    ['with a name', (boxes) => [...whole(boxes), box('udta', box('name', u64(0)))]],
  ])('is declined %s', (_what, change) => {
    expect(readChangedTrack(change)).toThrow(FastPathDeclined);
  });
});
