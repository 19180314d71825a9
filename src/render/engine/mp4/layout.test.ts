import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import fc from 'fast-check';
import { ALL_FORMATS, EncodedPacketSink, FilePathSource, Input } from 'mediabunny';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { sampleArrays, sparseSource, type TestSample, testSamples, testTrack } from '../testing/mp4-tracks.ts';
import { makeTestDirectory } from '../testing/test-media.ts';
import { additionsInIndex } from './additions/additions-in-index.ts';
import { computeLayout } from './layout.ts';
import { readMovie, SampleReader } from './movie-reader.ts';
import { openInputFile } from './open-files.ts';
import type { SampleList } from './sample-list.ts';
import { placeTracks, type SourceTrack } from './track-timing.ts';

const sample = fc.record({
  size: fc.integer({ min: 1, max: 5000 }),
  duration: fc.constantFrom(512, 512, 512, 1, 20_000),
  composition: fc.constantFrom(0, 1024, 512, -512),
  sync: fc.boolean(),
});

function layoutOf(tracks: readonly SourceTrack[]) {
  return computeLayout(tracks, placeTracks(tracks), 'mp4', additionsInIndex({ tags: {}, chapters: [] }, 0));
}

/** Parses a planned result of which only the head was written. */
function readBack(layout: ReturnType<typeof computeLayout>): SampleList[] {
  const source = sparseSource(layout.head, layout.bytes);
  const movie = readMovie(source);
  const reader = new SampleReader(movie, movie.tracks, source.size);
  return movie.tracks.map((track) => reader.finish(track, source.size));
}

describe('a layout', () => {
  it('lists every sample at the offset to which it is copied', () => {
    fc.assert(
      fc.property(
        fc.array(sample, { minLength: 1, maxLength: 200 }),
        fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 200 }),
        (pictures, sounds) => {
          const video = testSamples(pictures);
          const audio = testSamples(sounds.map((size) => ({ size, duration: 960 })));
          const layout = layoutOf([
            { input: 0, track: testTrack('video'), samples: video },
            { input: 1, track: testTrack('audio', { id: 2 }), samples: audio },
          ]);
          const [readVideo, readAudio] = readBack(layout);
          if (readVideo === undefined || readAudio === undefined) throw new Error('a track is missing');
          const lead = -Math.min(0, ...pictures.map(({ composition }) => composition));
          const { offsets: _, ...expectedContents } = sampleArrays(video);
          const compositions = expectedContents.compositions.map((ticks) => ticks + lead);
          expect(sampleArrays(readVideo)).toMatchObject({ ...expectedContents, compositions });
          expect(sampleArrays(readAudio)).toMatchObject({ sizes: sounds });
          expect(copyPositions(layout, 0)).toEqual(positions(readVideo));
          expect(copyPositions(layout, 1)).toEqual(positions(readAudio));
        },
      ),
      { seed: 3, numRuns: propertyRuns(100) },
    );
  });

  /** Bytes of an input: their offset in it, their number, and their offset in the result. */
  type Extent = [from: number, length: number, to: number];

  /** Returns where the bytes of an input are copied to, according to the runs. */
  function copyPositions(layout: ReturnType<typeof computeLayout>, input: number): Extent[] {
    const extents: Extent[] = [];
    let position = layout.head.length;
    for (const run of layout.runs()) {
      if (run.input === input) extents.push([run.offset, run.length, position]);
      position += run.length;
    }
    expect(position).toBe(layout.bytes);
    return joined(extents);
  }

  /** Returns where the samples of a track are, which are contiguous in their input. */
  function positions({ offsets, sizes, count }: SampleList): Extent[] {
    let from = 0;
    return joined(
      Array.from({ length: count }, (_, at) => {
        const extent: Extent = [from, sizes[at] ?? 0, offsets[at] ?? 0];
        from += extent[1];
        return extent;
      }),
    );
  }

  /** Sorts extents by their offset in the input, and joins those that adjoin in the input and in the result. */
  function joined(extents: readonly Extent[]): Extent[] {
    const all: Extent[] = [];
    for (const [from, length, to] of extents.toSorted(([one], [other]) => one - other)) {
      const last = all.at(-1);
      if (last !== undefined && last[0] + last[1] === from && last[2] + last[1] === to) last[1] += length;
      else all.push([from, length, to]);
    }
    return all;
  }

  it('stores one second of each track together', () => {
    const minute = (seconds: number, duration: number): TestSample[] =>
      Array.from({ length: seconds }, () => ({ size: 10, duration }));
    const layout = layoutOf([
      { input: 0, track: testTrack('video'), samples: testSamples(minute(75, 512)) },
      { input: 1, track: testTrack('audio', { id: 2 }), samples: testSamples(minute(150, 960)) },
    ]);
    expect([...layout.runs()]).toEqual(
      [0, 1, 2].flatMap((second) => [
        { input: 0, offset: 250 * second, length: 250 },
        { input: 1, offset: 500 * second, length: 500 },
      ]),
    );
  });
});

describe('a layout of more than 4 GiB', () => {
  const big = Array.from({ length: 150 }, (_, at) => ({ size: 40_000_000, duration: 512, sync: at % 50 === 0 }));
  const layout = layoutOf([{ input: 0, track: testTrack('video'), samples: testSamples(big) }]);

  it('uses 64-bit offsets', () => {
    expect(layout.bytes).toBeGreaterThan(6e9);
    const names = layout.head.toString('latin1');
    expect(names).toContain('co64');
    expect(names).not.toContain('stco');
    const [samples] = readBack(layout);
    expect(samples?.offsets[149]).toBe(layout.bytes - 40_000_000);
  });

  it('is readable by this parser and by the media library', async () => {
    const directory = makeTestDirectory();
    try {
      const path = directory.file('big.mp4');
      const file = openSync(path, 'w');
      writeSync(file, layout.head);
      ftruncateSync(file, layout.bytes);
      closeSync(file);
      const inputFile = openInputFile(path);
      try {
        const movie = readMovie(inputFile.source);
        const [track = testTrack('video')] = movie.tracks;
        const reader = new SampleReader(movie, [track], inputFile.source.size);
        expect(reader.finish(track, inputFile.source.size).count).toBe(150);
      } finally {
        inputFile.close();
      }
      const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
      const [track] = await input.getVideoTracks();
      if (track === undefined) throw new Error('there is no video');
      const last = await new EncodedPacketSink(track).getPacket(100, { metadataOnly: true });
      expect(last).toMatchObject({ timestamp: 149 / 25, byteLength: 40_000_000 });
      input.dispose();
    } finally {
      directory.remove();
    }
  });
});
