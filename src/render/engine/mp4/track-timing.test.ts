import { describe, expect, it } from 'vitest';
import { FastPathDeclined } from '../binary/fast-path-declined.ts';
import { type TestSample, testSamples, testTrack } from '../testing/mp4-tracks.ts';
import type { Edit } from './track-reader.ts';
import { placeTracks, type SourceTrack } from './track-timing.ts';

/**
 * Builds a track of 100 frames, each a tenth of a second long. `edit` is in seconds, except for its start, which is in
 * ticks.
 */
function source(options: {
  kind?: 'video' | 'audio';
  edit?: Edit;
  start?: number;
  input?: number;
  compositions?: readonly number[];
  ticks?: number;
}): SourceTrack {
  const { kind = 'video', edit, start = 0, input = 0, compositions = [0], ticks = 0 } = options;
  const frames = Array.from({ length: 100 }, (_, at): TestSample => {
    return { size: 1, duration: 100, composition: compositions[at % compositions.length] ?? 0 };
  });
  const track = testTrack(kind, { timescale: 1000, ticks, ...(edit === undefined ? {} : { edit }) });
  return { input, track, samples: testSamples(frames, start) };
}

const place = (...tracks: SourceTrack[]) => {
  return placeTracks(tracks).map(({ delay, mediaTime, length, lead }) => [
    Math.round(delay * 1000) / 1000,
    mediaTime,
    length,
    lead,
  ]);
};

describe('timing of one input', () => {
  it("begins at zero, regardless of the input's own clock", () => {
    expect(place(source({}))).toEqual([[0, 0, 10, 0]]);
    expect(place(source({ start: 5_000_000 }))).toEqual([[0, 0, 10, 0]]);
  });

  it('keeps the distance between tracks', () => {
    expect(place(source({}), source({ kind: 'audio', start: 500 }))).toEqual([
      [0, 0, 10, 0],
      [0.5, 0, 10, 0],
    ]);
    expect(place(source({ edit: { delay: 2, mediaTime: 0 } }), source({ edit: { delay: 1.5, mediaTime: 0 } }))).toEqual(
      [
        [0.5, 0, 10, 0],
        [0, 0, 10, 0],
      ],
    );
  });

  it('presents the first frame at zero, although it is decoded earlier', () => {
    expect(place(source({ compositions: [200] }))).toEqual([[0, 200, 10, 0]]);
    expect(place(source({ compositions: [200], edit: { delay: 0, mediaTime: 200, length: 10 } }))).toEqual([
      [0, 200, 10, 0],
    ]);
  });

  it('never decodes a frame after its presentation', () => {
    expect(place(source({ compositions: [0, 100, -100] }))).toEqual([[0, 100, 10, 100]]);
  });

  it('leaves out audio priming', () => {
    expect(place(source({ kind: 'audio', edit: { delay: 0, mediaTime: 50, length: 9.9 } }))).toEqual([[0, 50, 9.9, 0]]);
  });

  it('counts edits from the start of a fragmented file’s clock', () => {
    const edit = { delay: 0, mediaTime: 7050 };
    expect(place(source({ kind: 'audio', start: 7000, edit }))).toEqual([[0, 50, 9.95, 0]]);
  });

  it('leaves a pause if an edit begins before the media', () => {
    const late = source({ start: 300, edit: { delay: 0, mediaTime: 0, length: 10.3 } });
    expect(place(late, source({}))).toEqual([
      [0.3, 0, 10, 0],
      [0, 0, 10, 0],
    ]);
  });
});

describe('timing of several inputs', () => {
  it('uses one clock for inputs that begin close together', () => {
    expect(place(source({ start: 60_000 }), source({ input: 1, start: 60_200 }))).toEqual([
      [0, 0, 10, 0],
      [0.2, 0, 10, 0],
    ]);
  });

  it('starts inputs with unrelated clocks at the same time', () => {
    expect(place(source({ start: 60_000 }), source({ input: 1 }))).toEqual([
      [0, 0, 10, 0],
      [0, 0, 10, 0],
    ]);
  });
});

describe('timing', () => {
  it.each([
    ['video with a cut start', source({ edit: { delay: 0, mediaTime: 100 } }), /does not play from its beginning/],
    ['audio with a long cut', source({ kind: 'audio', edit: { delay: 0, mediaTime: 1500 } }), /from its beginning/],
    ['a track with a cut end', source({ edit: { delay: 0, mediaTime: 0, length: 9 } }), /does not play to its end/],
    ['an edit beyond the end', source({ edit: { delay: 0, mediaTime: 0, length: 11 } }), /does not play to its end/],
    ['a track that is shorter than its header says', source({ ticks: 20_000 }), /is shorter than its header says/],
    ['frames that are far out of order', source({ compositions: [0, -20_000] }), /are far out of order/],
  ])('is left to the engine for %s', (_what, track, reason) => {
    expect(() => place(track)).toThrow(reason);
  });

  it('is left to the engine for tracks that are years apart', () => {
    expect(() => place(source({}), source({ edit: { delay: 1e9, mediaTime: 0 } }))).toThrow(FastPathDeclined);
  });
});
