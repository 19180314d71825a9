/** @module-tag long */

import { renameSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Clip } from '../../../contract/clip.ts';
import type { OutputContainer } from '../../../contract/containers.ts';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { readChapters } from '../additions/read-chapters.ts';
import type { Engine } from '../engine.ts';
import { isoFormat } from '../formats/demuxer-names.ts';
import { readResult } from '../mp4/read-result.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { startsOf, trackOf } from '../testing/packet-times.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { type PacketTrack, readPackets } from '../testing/read-packets.ts';
import { describeMedia, type MediaDirectory, makeMedia } from '../testing/test-media.ts';
import { verifyResult } from '../verification/verify-result.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia();
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** Duration of a video frame in seconds. */
const frame = 0.04;

/** Returns the packets of a track with their times. */
async function packetsOf(path: string, kind: string): Promise<PacketTrack['packets']> {
  return trackOf(await readPackets(path), kind).packets;
}

/** Returns the packets of a clip, by their hashes in the source, that begin between two times of the clip. */
function between({ packets }: Pick<PacketTrack, 'packets'>, from: number, to: number): string[] {
  return packets.filter(({ time }) => time > from - 0.001 && time < to - 0.001).map(({ hash }) => hash);
}

async function cut(clip: Clip, ext: OutputContainer, inputs: readonly string[], copyStreams = true) {
  const { path, report } = await processAndVerify(engine, media, {
    inputs,
    ext,
    type: inputs.length > 1 ? 'join_streams' : 'convert_format',
    copyStreams,
    clip,
  });
  return { path, report, tracks: await readPackets(path) };
}

describe('a copied clip in MP4', () => {
  it.each<[string, Clip, readonly string[]]>([
    ['from a key frame', { start: 1, end: 2 }, ['gop.mp4']],
    ['between key frames', { start: 1.3, end: 2.5 }, ['gop.mp4']],
    ['within one group of pictures', { start: 2.2, end: 2.4 }, ['gop.mp4']],
    ['from the beginning', { start: 0, end: 1.7 }, ['gop.mp4']],
    ['to the end', { start: 2.7 }, ['gop.mp4']],
    ['of separate files', { start: 1.5, end: 3 }, ['v.mp4', 'a.m4a']],
    ['of fragments', { start: 1.5, end: 3 }, ['fragmented.mp4']],
    ['of separate fragmented files', { start: 1.5, end: 3 }, ['fragmented-v.mp4', 'fragmented-a.mp4']],
  ])('plays exactly the part: %s', async (_what, clip, inputs) => {
    const { path, report, tracks } = await cut(clip, 'mp4', inputs);
    const length = Math.min(4, clip.end ?? 4) - clip.start;
    const video = trackOf(tracks, 'video');
    const source = await readPackets(media.file(inputs[0] ?? ''));
    const expected = between(trackOf(source, 'video'), clip.start, clip.start + length);
    expect(between(video, 0, length)).toEqual(expected);
    // What precedes the start is hidden, and begins with a key frame.
    expect(video.packets[0]).toMatchObject({ key: true });
    expect(video.packets[0]?.time).toBeLessThan(frame);
    expect(report.notes).toEqual([]);
    const sound = trackOf(tracks, 'audio');
    const sourceSound = trackOf(await readPackets(media.file(inputs.at(-1) ?? '')), 'audio');
    expect(between(sound, 0, length)).toEqual(between(sourceSound, clip.start, clip.start + length));
    const plain = await readResult(path);
    if (plain !== undefined) verifyResult(report, plain, clip);
    for (const { stats } of plain?.streams ?? []) {
      const { first = 0, end = stats?.end ?? 0 } = stats?.plays ?? {};
      expect(end - first).toBeGreaterThan(length - 0.06);
      expect(end).toBeLessThan(length + 0.06);
    }
  });

  it('that ends after the media is shorter, with a note', async () => {
    const { report } = await cut({ start: 3, end: 500 }, 'mp4', ['gop.mp4']);
    expect(report.notes).toEqual([
      { code: 'clip_shortened', message: 'The clip ends at 4.0 s instead of 500 s, where the media ends.' },
    ]);
    expect(report.duration).toBeCloseTo(1, 1);
  });

  it('that begins after the media fails with its duration', async () => {
    await expect(cut({ start: 4000, end: 4010 }, 'mp4', ['gop.mp4'])).rejects.toMatchObject({
      code: 'clip_out_of_range',
      message: 'The clip starts at 4000 s, but the media lasts 4 s. Choose an earlier start.',
    });
  });

  it('lacks a track that does not play in it, with a note', async () => {
    const { report, tracks } = await cut({ start: 2.5, end: 3.5 }, 'mp4', ['long-audio.mp4']);
    expect(tracks.map(({ kind }) => kind)).toEqual(['audio']);
    expect(report.notes).toEqual([
      { code: 'stream_interrupted', message: 'Input 1 has no video in the clip.', input: 0 },
    ]);
  });

  it('keeps the delay of a track that begins later', async () => {
    const { tracks } = await cut({ start: 1, end: 3 }, 'mp4', ['late-audio.mp4']);
    expect(Math.min(...startsOf(trackOf(tracks, 'audio')))).toBeCloseTo(0.5, 1);
  });
});

describe('an excerpt', () => {
  it('is cut at the time of its source', async () => {
    const excerpt = { path: media.file('gop.mp4'), excerptStart: 60, duration: 3600 };
    const clip = { start: 61.3, end: 62.5 };
    const { path, report } = await processAndVerify(engine, media, { inputs: [excerpt], ext: 'mp4', clip });
    const expected = between({ packets: await packetsOf(media.file('gop.mp4'), 'video') }, 1.3, 2.5);
    expect(between({ packets: await packetsOf(path, 'video') }, 0, 1.2)).toEqual(expected);
    expect(report.notes).toEqual([]);
  });

  it('that ends too early is incomplete', async () => {
    const excerpt = { path: media.file('gop.mp4'), excerptStart: 60, duration: 3600 };
    const clip = { start: 61, end: 90 };
    await expect(processAndVerify(engine, media, { inputs: [excerpt], ext: 'mp4', clip })).rejects.toMatchObject({
      code: 'input_incomplete',
    });
  });
});

describe('a copied clip written by the library', () => {
  it.each<[string, Clip, readonly string[]]>([
    ['QuickTime', { start: 1.3, end: 2.5 }, ['gop.mp4']],
    ['MPEG-TS', { start: 1.3, end: 2.5 }, ['av.ts']],
    ['Matroska', { start: 1.3, end: 2.5 }, ['av.mkv']],
    ['WebM', { start: 1.3, end: 2.5 }, ['av.webm']],
    ['subtitles', { start: 1.3, end: 2.5 }, ['rich.mp4']],
    ['the whole', { start: 0 }, ['av.mkv']],
  ])('plays exactly the part by edit lists: %s', async (what, clip, inputs) => {
    const { report, tracks } = await cut(clip, what === 'QuickTime' ? 'mov' : 'mp4', inputs);
    const length = Math.min(4, clip.end ?? 4) - clip.start;
    const source = await readPackets(media.file(inputs[0] ?? ''));
    expect(between(trackOf(tracks, 'video'), 0, length).length).toBe(
      between({ packets: rebased(source, 'video') }, clip.start, clip.start + length).length,
    );
    expect(report.notes).toEqual([]);
  });

  it.each<[OutputContainer, readonly string[]]>([
    ['mkv', ['gop.mp4']],
    ['ts', ['gop.mp4']],
    ['mkv', ['v.mp4', 'a.m4a']],
    ['webm', ['av.webm']],
    ['mkv', ['av.ts']],
  ])('begins at the key frame before the start in %s: %j', async (ext, inputs) => {
    const { report, tracks } = await cut({ start: 1.3, end: 2.5 }, ext, inputs);
    const video = trackOf(tracks, 'video');
    expect(video.packets[0]?.key).toBe(true);
    const begin = report.clip?.start ?? Number.NaN;
    expect(begin).toBeLessThan(1.31);
    const length = Math.max(...startsOf(video)) - Math.min(...startsOf(video)) + frame;
    expect(length).toBeGreaterThan(2.5 - begin - 0.1);
    expect(length).toBeLessThan(2.5 - begin + 0.2);
    if (begin < 1.2) expect(report.notes).toMatchObject([{ code: 'clip_starts_at_key_frame' }]);
  });

  it.each<[OutputContainer, string]>([
    ['mp3', 'a.mp3'],
    ['m4a', 'a.m4a'],
    ['ogg', 'a.ogg'],
    ['opus', 'a.opus'],
    ['wav', 'a.wav'],
    ['flac', 'a.flac'],
    ['aac', 'a.aac'],
    ['mkv', 'a.mp3'],
  ])('of audio is exact to a packet: %s', async (ext, input) => {
    const { report, tracks } = await cut({ start: 1.3, end: 2.5 }, ext, [input]);
    const [audio] = tracks;
    const starts = audio === undefined ? [] : startsOf(audio);
    expect(Math.max(...starts) - Math.min(...starts)).toBeGreaterThan(1.2 - 0.15);
    expect(Math.max(...starts) - Math.min(...starts)).toBeLessThan(1.2 + 0.06);
    expect(report.notes).toEqual([]);
  });
});

describe('a copied clip of a millisecond', () => {
  it.each<[OutputContainer, string]>([
    ['mp4', 'gop.mp4'],
    ['mov', 'gop.mp4'],
    ['mkv', 'gop.mp4'],
    ['ts', 'gop.mp4'],
    ['webm', 'av.webm'],
    ['m4a', 'a.m4a'],
    ['mp3', 'a.mp3'],
    ['aac', 'a.aac'],
    ['opus', 'a.opus'],
    ['wav', 'a.wav'],
  ])('has the frame at its start in %s', async (ext, input) => {
    // The audio of this WebM file begins 14 ms after its video.
    for (const start of [ext === 'webm' ? 0.02 : 0, 1, 1.31]) {
      const { report, tracks } = await cut({ start, end: start + 0.001 }, ext, [input]);
      for (const { packets } of tracks) expect(packets.length).toBeGreaterThan(0);
      expect(tracks.length).toBe(input.startsWith('a.') ? 1 : 2);
      expect(report.notes.filter(({ code }) => code !== 'clip_starts_at_key_frame')).toEqual([]);
    }
  });
});

describe('an encoded clip', () => {
  it.each<[OutputContainer, string]>([
    ['mp4', 'gop.mp4'],
    ['mkv', 'av.ts'],
    ['webm', 'av.webm'],
    ['mov', 'av.mkv'],
    ['ts', 'gop.mp4'],
  ])('is exact to the frame in %s', async (ext, input) => {
    const { report, tracks } = await cut({ start: 1.32, end: 2.52 }, ext, [input], false);
    const video = trackOf(tracks, 'video');
    expect(video.packets.length).toBe(30);
    expect(report.notes).toEqual([]);
  });

  it.each<[OutputContainer, Clip]>([
    ['mp4', { start: 3.99 }],
    ['webm', { start: 3.99 }],
    ['mkv', { start: 1.31, end: 1.315 }],
    ['webm', { start: 1.31, end: 1.315 }],
    ['mp4', { start: 0, end: 0.01 }],
    ['mp4', { start: 0, end: 0.001 }],
    ['mkv', { start: 1, end: 1.001 }],
    ['webm', { start: 3.5, end: 3.5001 }],
  ])('that is shorter than a frame has the frame at its start: %s, %j', async (ext, clip) => {
    const { report, tracks } = await cut(clip, ext, ['gop.mp4'], false);
    expect(trackOf(tracks, 'video').packets.length).toBe(1);
    expect(report.notes).toEqual([]);
  });

  it.each<[OutputContainer, boolean]>([
    ['mkv', false],
    ['webm', false],
    ['ts', false],
    ['mp4', false],
    ['mkv', true],
    ['mov', true],
  ])('lacks a track that does not play in it, with a note: %s, copied %j', async (ext, copyStreams) => {
    const { path, report } = await cut({ start: 2.5, end: 3.5 }, ext, ['long-audio.mp4'], copyStreams);
    expect((await describeMedia(path)).streams.map(({ kind }) => kind)).toEqual(['audio']);
    expect(report.notes).toEqual([
      { code: 'stream_interrupted', message: 'Input 1 has no video in the clip.', input: 0 },
    ]);
    expect(Math.abs(report.duration - 1)).toBeLessThan(0.1);
  });

  it.each<OutputContainer>(['mp3', 'm4a', 'ogg', 'opus', 'wav', 'flac', 'aac'])('of audio: %s', async (ext) => {
    const { report } = await cut({ start: 1.32, end: 2.52 }, ext, ['a.m4a'], false);
    expect(report.notes).toEqual([]);
    expect(Math.abs(report.duration - 1.2)).toBeLessThan(0.06);
  });

  it.each<OutputContainer>(['mp4', 'mkv'])('mixes only the part: %s', async (ext) => {
    const clip = { start: 1.3, end: 3 };
    await processAndVerify(engine, media, { inputs: ['gop.mp4', 'a.mp3'], ext, type: 'mix_audio_and_video', clip });
  });
});

describe('a clip of a playlist', () => {
  /** Parts of one second each, whose clocks restart, from 60 s on. */
  const parts = (name: string) =>
    Array.from({ length: 5 }, (_, section) => ({
      path: media.file(name),
      section,
      duration: 1,
      ...(section === 0 ? { excerptStart: 60 } : {}),
    }));
  const input = (name: string, jobInput = 0) => {
    const [first, ...followedBy] = parts(name);
    if (first === undefined) throw new Error('there are no parts');
    return { ...first, followedBy, jobInput };
  };

  it.each<[string, OutputContainer, boolean, readonly string[]]>([
    ['over several parts', 'mp4', true, ['second.ts']],
    ['of encoded streams', 'mp4', false, ['second.ts']],
    ['without edit lists', 'mkv', true, ['second.ts']],
    ['with separate audio', 'mp4', true, ['second-v.ts', 'second-a.ts']],
    ['with separate encoded audio', 'mkv', false, ['second-v.ts', 'second-a.ts']],
  ])('is cut at the time of its source: %s', async (_what, ext, copyStreams, names) => {
    const clip = { start: 61.4, end: 63.4 };
    const inputs = names.map((name) => input(name));
    const { report } = await processAndVerify(engine, media, { inputs, ext, copyStreams, clip });
    const seconds = 63.4 - (report.clip?.start ?? 0);
    expect(seconds).toBeGreaterThan(1.9);
    expect(Math.abs(report.duration - seconds)).toBeLessThan(0.2);
  });
});

describe('a clip of video with open groups of pictures', () => {
  it.each<[OutputContainer, string]>([
    ['ts', 'open-gop.mp4'],
    ['mkv', 'open-gop.mp4'],
    ['mp4', 'open-gop.mp4'],
    ['mov', 'open-gop.mp4'],
    ['ts', 'open-gop.ts'],
    ['mkv', 'open-gop.ts'],
    ['mp4', 'open-gop.ts'],
  ])('can be decoded from its first frame in %s, from %s', async (ext, name) => {
    if (name === 'open-gop.ts') {
      // A copy in MPEG-TS has its parameter sets only before the first frame.
      const copy = await processAndVerify(engine, media, { inputs: ['open-gop.mp4'], ext: 'ts' });
      renameSync(copy.path, media.file(name));
    }
    const { path, report } = await cut({ start: 2.1, end: 3.3 }, ext, [name]);
    const decoded = media.file('decoded.mkv');
    renameSync(path, media.file(`copy.${ext}`));
    const again = await processAndVerify(engine, media, { inputs: [`copy.${ext}`], ext: 'mkv', copyStreams: false });
    renameSync(again.path, decoded);
    expect(again.report.notes).toEqual([]);
    const { packets } = trackOf(await readPackets(decoded), 'video');
    const seconds = 3.3 - (report.clip?.start ?? 0);
    expect(packets.length).toBeGreaterThanOrEqual(Math.round(seconds * 25));
    expect(packets.length).toBeLessThan(seconds * 25 + 4);
  });
});

describe('clips at random times', () => {
  it('play as long as requested', async () => {
    const times = fc.tuple(fc.integer({ min: 0, max: 3700 }), fc.integer({ min: 120, max: 3000 }), fc.boolean());
    const files = fc.constantFrom('gop.mp4', 'open-gop.mp4', 'av.mkv', 'av.ts');
    await fc.assert(
      fc.asyncProperty(times, files, async ([start, length, copyStreams], input) => {
        const clip = { start: start / 1000, end: Math.min(4000, start + length) / 1000 };
        const { tracks, report } = await cut(clip, 'mp4', [input], copyStreams);
        expect(report.notes).toEqual([]);
        const seconds = clip.end - clip.start;
        expect(Math.abs(report.duration - seconds)).toBeLessThan(0.1);
        const shown = startsOf(trackOf(tracks, 'video')).filter((time) => time > -0.001 && time < seconds - 0.001);
        expect(Math.abs(shown.length - seconds * 25)).toBeLessThanOrEqual(2);
      }),
      { seed: 23, numRuns: propertyRuns(12) },
    );
  });
});

describe('what accompanies the media of a clip', () => {
  it.each<[string, OutputContainer, readonly (readonly [number, string])[]]>([
    [
      'rich.mkv',
      'mp4',
      [
        [0, 'Мир & 日本'],
        [1.2, ''],
      ],
    ],
    [
      'rich.mkv',
      'mkv',
      [
        [0, 'Мир & 日本'],
        [3, ''],
      ],
    ],
  ])('is cut with it: %s into %s', async (input, ext, chapters) => {
    const { path, report } = await cut({ start: 1.8, end: 3.6 }, ext, [input]);
    const begin = report.clip?.start ?? Number.NaN;
    expect(readChapters(path, ext === 'mp4' ? isoFormat : 'matroska,webm').chapters).toEqual(
      chapters.map(([start, title]) => ({ start: expect.closeTo(start, 1), title })),
    );
    const { metadata, streams } = await describeMedia(path);
    expect(metadata).toMatchObject({ title: 'A title' });
    const { streams: sourceStreams } = await describeMedia(media.file(input));
    const cuesOf = (list: typeof streams) => list.find(({ kind }) => kind === 'subtitle')?.cues ?? [];
    const kept = cuesOf(sourceStreams).filter(([start]) => start >= begin && start < 3.6);
    expect(kept.length).toBeGreaterThan(0);
    expect(cuesOf(streams).filter(([, text]) => text.length > 2).length).toBeGreaterThanOrEqual(kept.length);
  });
});

/** Returns the packets of a track, with times from the beginning of the media. */
function rebased(tracks: readonly PacketTrack[], kind: string): PacketTrack['packets'] {
  const first = Math.min(...tracks.flatMap((track) => startsOf(track)));
  const base = first > 0.1 ? first : 0;
  return trackOf(tracks, kind).packets.map((packet) => ({ ...packet, time: packet.time - base }));
}
