import { describe, expect, it } from 'vitest';
import { FastPathDeclined } from '../binary/fast-path-declined.ts';
import { sampleArrays } from '../testing/mp4-tracks.ts';
import { box, fullBox, u32, u64 } from './box-writer.ts';
import { type FragmentedTrack, readDefaults, readFragment } from './fragment-reader.ts';
import { SampleList } from './sample-list.ts';

const place = { offset: 1000, positionShift: 0, from: 1000, to: 100_000 };

function track(changes: Partial<FragmentedTrack> = {}): FragmentedTrack {
  const defaults = { duration: 10, size: 7, flags: 0 };
  return { defaults, allSync: false, timescale: 100, samples: new SampleList(100), ...changes };
}

/** Body of a `moof` box with one track. */
function fragment(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([fullBox('mfhd', 0, 0, u32(1)), box('traf', ...parts)]);
}

/** A `tfhd` box whose offsets are relative to its fragment. */
const header = (flags = 0, ...fields: readonly Buffer[]) => fullBox('tfhd', 0, 0x2_0000 + flags, u32(1), ...fields);
const clock = (time: number) => fullBox('tfdt', 0, 0, u32(time));
const run = (flags: number, count: number, ...fields: readonly number[]) =>
  fullBox('trun', 0, flags, u32(count, ...fields));

function readTrackFragment(parts: readonly Buffer[], into = track(), at = place): SampleList {
  readFragment(fragment(...parts), at, new Map([[1, into]]));
  return into.samples;
}

describe('a fragment', () => {
  it('takes missing values from the defaults of its track', () => {
    expect(sampleArrays(readTrackFragment([header(), clock(50), run(1, 2, 200)]))).toEqual({
      offsets: [1200, 1207],
      sizes: [7, 7],
      durations: [10, 10],
      compositions: [0, 0],
      sync: [1, 1],
    });
  });

  it('has its own defaults, which its samples can override', () => {
    const common = header(0x38, u32(20, 9, 0x1_0000));
    expect(sampleArrays(readTrackFragment([common, run(0x301, 1, 0, 30, 11), run(4, 2, 0x200_0000)]))).toEqual({
      offsets: [1000, 1011, 1020],
      sizes: [11, 9, 9],
      durations: [30, 20, 20],
      compositions: [0, 0, 0],
      sync: [0, 1, 0],
    });
    expect(sampleArrays(readTrackFragment([common, run(0xc00, 2, 0, 0xffff_fffe, 0x1_0000, 5)]))).toMatchObject({
      compositions: [-2, 5],
      sync: [1, 0],
    });
  });

  it('may contain absolute offsets that refer to its original position', () => {
    const absolute = fullBox('tfhd', 0, 1, u32(1), u64(500));
    const samples = readTrackFragment([absolute, run(1, 1, 8)], track(), { ...place, positionShift: 4000 });
    expect(samples.offsets[0]).toBe(4508);
  });

  it('lengthens the previous sample to fill a gap, and shortens it to remove an overlap', () => {
    const into = track();
    readTrackFragment([header(), clock(50), run(0, 2)], into);
    readTrackFragment([header(), clock(75), run(0, 1)], into);
    readTrackFragment([header(), clock(82), run(0, 1)], into);
    expect([into.samples.start, into.samples.ticks]).toEqual([50, 42]);
    expect(sampleArrays(into.samples).durations).toEqual([10, 15, 7, 10]);
  });

  it('has only sync samples if it is audio', () => {
    expect(
      sampleArrays(readTrackFragment([header(0x20, u32(0x1_0000)), run(0, 1)], track({ allSync: true }))).sync,
    ).toEqual([1]);
  });

  it('is skipped if it belongs to another track', () => {
    const into = track();
    readFragment(fragment(header(), run(0, 1)), place, new Map([[2, into]]));
    expect(into.samples.count).toBe(0);
  });

  it.each([
    ['a clock that goes back', [header(), clock(5), run(0, 1)]],
    ['a clock that jumps', [header(), clock(500), run(0, 1)]],
    ['media after its end', [header(), clock(60), run(1, 1, 0x7fff_ffff)]],
    ['media before its start', [header(), clock(60), run(1, 1, 0xffff_ffff)]],
    ['more samples than possible', [header(), clock(60), run(0, 0xffff_ffff)]],
    ['a table that ends early', [header(), clock(60), run(0x100, 2, 1)]],
    ['encryption', [header(), clock(60), fullBox('senc', 0, 0, u32(0)), run(0, 1)]],
    ['another description', [header(2, u32(2)), clock(60), run(0, 1)]],
    ['two headers', [header(), header(), run(0, 1)]],
    ['no header', [run(0, 1)]],
  ])('with %s is declined', (_what, parts) => {
    const into = track();
    readTrackFragment([header(), clock(50), run(0, 1)], into);
    expect(() => readTrackFragment(parts, into)).toThrow(FastPathDeclined);
  });
});

it('fragment defaults are read separately for each track', () => {
  const trex = (id: number, description = 1) => ({
    type: 'trex',
    bytes: Buffer.alloc(0),
    body: u32(0, id, description, 10, 20, 30),
  });
  expect([...readDefaults([trex(1), trex(5)])]).toEqual(
    [1, 5].map((id) => [id, { duration: 10, size: 20, flags: 30 }]),
  );
  expect(() => readDefaults([trex(1, 2)])).toThrow(FastPathDeclined);
});
