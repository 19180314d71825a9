/** @module-tag long */

import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import type { EngineInput, ProcessTask } from '../tasks/task.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { moveFragments } from '../testing/move-fragments.ts';
import { audioOffsets, endOf, largestGap, startsOf } from '../testing/packet-times.ts';
import { type PacketTrack, readPackets } from '../testing/read-packets.ts';
import { type MediaDirectory, makeMedia, mediaSeconds } from '../testing/test-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia(
    ...(['av.ts', 'far.ts', 'v.ts', 'a.ts', 'short.ts', 'small.ts', 'rough.ts', 'rate.ts', 'fragmented.mp4'] as const),
    ...(['fragmented-v.mp4', 'fragmented-a.mp4', 'long-audio.mp4', 'data.ts'] as const),
    ...(['vorbis.mkv', 'low-vorbis.mkv', 'flac.mkv', 'low-flac.mkv', 'mpeg4.mkv', 'low-mpeg4.mkv'] as const),
  );
  const late = moveFragments(readFileSync(media.file('fragmented.mp4')), 1000);
  writeFileSync(media.file('late-fragments.mp4'), late);
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

const frame = 1 / 25;
/** Duration of an AAC frame in seconds. An encoder adds one before the audio and pads the last one. */
const audioFrame = 1024 / 44_100;
const boundary = frame + 2 * audioFrame;

/** Returns an input of files that play in sequence, each with the given declared duration. */
function playlist(names: readonly string[], duration = mediaSeconds, jobInput = 0): EngineInput {
  const files = names.map((name, section) => ({ path: media.file(name), duration, section }));
  const [first = { path: '' }, ...followedBy] = files;
  return { ...first, jobInput, followedBy };
}

const times = (name: string, count = 4) => Array.from({ length: count }, () => name);

async function process(
  inputs: readonly EngineInput[],
  ext: OutputContainer,
  operation: Partial<ProcessTask['operation']> = {},
) {
  const path = media.file(`result.${ext}`);
  const report = await engine.process(
    {
      directory: media.path,
      inputs,
      output: { path, ext },
      operation: { type: 'convert_format', copyStreams: true, ...operation },
      maxOutputBytes: 10_000_000,
    },
    { signal: new AbortController().signal },
  );
  return { report, tracks: await readPackets(path) };
}

/** Expects every track to play the given number of parts without a gap. */
function expectWhole(
  tracks: readonly PacketTrack[],
  kinds: readonly string[],
  parts = 4,
  seconds = mediaSeconds,
): void {
  expect(tracks.map(({ kind }) => kind)).toEqual(kinds);
  const [zero = 0] = tracks.flatMap(startsOf).toSorted((a, b) => a - b);
  for (const track of tracks) {
    const last = endOf(track);
    expect(Math.abs(last - zero - parts * seconds), `${track.kind} until ${last}`).toBeLessThan(parts * boundary);
    expect(largestGap(track), `the largest gap of the ${track.kind}`).toBeLessThan(boundary + frame);
  }
}

describe('parts whose clocks restart', () => {
  it.each([
    ['MPEG-TS', ['av.ts'], 'mp4', ['video', 'audio']],
    ['MPEG-TS', ['av.ts'], 'mkv', ['video', 'audio']],
    ['MPEG-TS', ['av.ts'], 'ts', ['video', 'audio']],
    ['fragmented MP4', ['fragmented.mp4'], 'mp4', ['video', 'audio']],
    ['fragmented MP4', ['fragmented.mp4'], 'ts', ['video', 'audio']],
    ['separate MPEG-TS', ['v.ts', 'a.ts'], 'mp4', ['video', 'audio']],
    ['separate fragmented MP4', ['fragmented-v.mp4', 'fragmented-a.mp4'], 'mp4', ['video', 'audio']],
    ['audio only', ['a.ts'], 'm4a', ['audio']],
  ] as const)('play in sequence: %s: %j as %s', async (_what, names, ext, kinds) => {
    const { report, tracks } = await process(
      names.map((name) => playlist(times(name))),
      ext,
    );
    expectWhole(tracks, kinds);
    expect(report.duration).toBeCloseTo(16, 0);
    if (kinds.length < 2) return;
    const { tracks: part } = await process(
      names.map((name) => playlist([name])),
      ext,
    );
    const [offset = 0] = audioOffsets(part, part);
    const offsets = audioOffsets(tracks, part);
    expect(offsets).toHaveLength(4);
    for (const own of offsets) expect(own).toBeCloseTo(offset, 2);
  });

  it.each([true, false])('play in sequence if they last half a second (copied: %s)', async (copyStreams) => {
    const { tracks } = await process([playlist(times('short.ts', 8), 0.52)], 'mp4', { copyStreams });
    if (copyStreams) expectWhole(tracks, ['video', 'audio'], 8, 0.52);
    else for (const track of tracks) expect(largestGap(track)).toBeLessThan(boundary + frame);
  });

  it.each(['mp3', 'm4a'] as const)('play in sequence when only their audio is encoded into %s', async (ext) => {
    const { tracks } = await process([playlist(times('av.ts'))], ext, { type: 'extract_audio', copyStreams: false });
    expect(tracks.map(({ kind }) => kind)).toEqual(['audio']);
    for (const track of tracks) {
      expect(largestGap(track)).toBeLessThan(0.03);
      expect(Math.abs((startsOf(track).at(-1) ?? 0) - 16)).toBeLessThan(4 * boundary);
    }
  });

  it('play in sequence when separate audio files are extracted', async () => {
    const { tracks } = await process([playlist(times('v.ts')), playlist(times('a.ts'))], 'm4a', {
      type: 'extract_audio',
    });
    expectWhole(tracks, ['audio']);
  });

  it('play in sequence regardless of where their clocks begin', async () => {
    const { tracks } = await process([playlist(['av.ts', 'far.ts', 'av.ts', 'far.ts'])], 'mp4');
    expectWhole(tracks, ['video', 'audio']);
  });
});

describe('fragmented MP4 whose clock does not begin at zero', () => {
  it.each(['mp4', 'mkv'] as const)('is complete as a single input (%s)', async (ext) => {
    const { tracks } = await process([{ path: media.file('late-fragments.mp4') }], ext);
    expectWhole(tracks, ['video', 'audio'], 1);
  });

  it('is complete as a part', async () => {
    const { tracks } = await process([playlist(['fragmented.mp4', 'late-fragments.mp4', 'fragmented.mp4'])], 'mp4');
    expectWhole(tracks, ['video', 'audio'], 3);
  });
});

describe('an operation that uses one stream of the parts', () => {
  it('counts the other streams towards the duration in the playlist', async () => {
    const { report } = await process([playlist(times('long-audio.mp4', 2))], 'mp4', { type: 'extract_video' });
    expect(report.notes).toEqual([]);
  });

  it('adds a note for the streams that it leaves out of a later part', async () => {
    const { report } = await process([playlist(['av.ts', 'data.ts'])], 'm4a', { type: 'extract_audio' });
    expect(report.notes.map(({ code, input }) => `${code} ${input}`)).toContain('stream_left_out 0');
  });
});

describe('a part without a declared discontinuity', () => {
  const continuing = (...names: string[]): EngineInput => {
    const { followedBy = [], ...first } = playlist(names);
    return { ...first, followedBy: followedBy.map((part) => ({ ...part, section: 0 })) };
  };

  it('continues the clock of the previous part, unless its own clock jumps', async () => {
    const { tracks } = await process([continuing('av.ts', 'far.ts', 'av.ts')], 'mp4');
    expectWhole(tracks, ['video', 'audio'], 3);
  });
});

describe('a part that differs from the first', () => {
  it.each([
    ['its video is 128x72 instead of 160x90', ['av.ts', 'small.ts'], 'mp4'],
    ['its h264 video was encoded with other settings', ['av.ts', 'av.ts', 'rough.ts'], 'mp4'],
    ['its audio is 48000 Hz instead of 44100 Hz', ['av.ts', 'rate.ts'], 'ts'],
    ['it has 0 audio streams instead of 1', ['av.ts', 'v.ts'], 'mp4'],
    ['it has 1 audio stream instead of 0', ['v.ts', 'av.ts'], 'mp4'],
    ['it is MP4, but part 1 is MPEG-TS', ['av.ts', 'fragmented.mp4'], 'mp4'],
  ] as const)('cannot be copied: %s', async (what, names, ext) => {
    await expect(process([playlist(names)], ext)).rejects.toMatchObject({
      code: 'incompatible_codecs',
      message: `Part ${names.length} of input 1 cannot be copied after part 1: ${what}. Set copyStreams to false to re-encode all parts.`,
      input: 0,
    });
  });

  it.each(['vorbis', 'flac', 'mpeg4'] as const)('cannot be copied: its %s needs another setup', async (codec) => {
    await process([playlist([`${codec}.mkv`, `${codec}.mkv`], 1)], 'mkv');
    const other = process([playlist([`${codec}.mkv`, `low-${codec}.mkv`], 1)], 'mkv');
    await expect(other).rejects.toMatchObject({
      code: 'incompatible_codecs',
      message: expect.stringContaining('was encoded with other settings'),
    });
  });

  it('can be copied into MPEG-TS if only its encoder settings differ', async () => {
    const { tracks } = await process([playlist(['av.ts', 'rough.ts'])], 'ts');
    expectWhole(tracks, ['video', 'audio'], 2);
  });

  it('does not affect an operation that leaves out the differing stream', async () => {
    const { tracks } = await process([playlist(['av.ts', 'small.ts', 'rough.ts'])], 'm4a', { type: 'extract_audio' });
    expectWhole(tracks, ['audio'], 3);
  });

  it.each([
    ['another frame size', 'small.ts'],
    ['another sample rate', 'rate.ts'],
    ['another container', 'fragmented.mp4'],
    ['no audio', 'v.ts'],
  ])('can be encoded: %s', async (_what, name) => {
    const { tracks } = await process([playlist(['av.ts', name, 'av.ts', name])], 'mp4', { copyStreams: false });
    for (const track of tracks) {
      // Audio that is missing at the end is not filled in.
      const end = name === 'v.ts' && track.kind === 'audio' ? 12 : 16;
      expect(Math.abs((startsOf(track).at(-1) ?? 0) - end), `${track.kind}`).toBeLessThan(4 * boundary);
      // The video of the fragmented file begins two frames after its audio.
      expect(largestGap(track)).toBeLessThan(boundary + 2 * frame);
    }
  });

  it('loses its additional streams, with a note', async () => {
    const { report } = await process([playlist(['v.ts', 'av.ts', 'data.ts'])], 'mp4', { copyStreams: false });
    const of = (what: string) => `The ${what} in a later part of input 1 was left out: part 1 has no such stream.`;
    const messages = report.notes.filter(({ code }) => code === 'stream_left_out').map(({ message }) => message);
    expect(messages).toEqual([of('aac audio'), of('timed_id3 data'), of('klv data')]);
  });
});

describe('an incomplete part', () => {
  it('is compared with its own declared duration', async () => {
    const { followedBy = [], ...first } = playlist(times('av.ts', 3));
    const longer = followedBy.map((part, at) => ({ ...part, duration: at === 0 ? 8 : mediaSeconds }));
    await expect(process([{ ...first, followedBy: longer }], 'mp4')).rejects.toMatchObject({
      code: 'input_incomplete',
      message: expect.stringMatching(/^Part 2 of input 1 ends at 4\.\d s of 8\.0 s/),
      input: 0,
    });
  });

  it('counts towards the total duration', async () => {
    await expect(process([playlist(times('av.ts'), mediaSeconds + 0.8)], 'mp4')).rejects.toMatchObject({
      code: 'input_incomplete',
      message: expect.stringMatching(/^Input 1 ends at 16\.\d s of 19\.2 s/),
    });
  });
});
