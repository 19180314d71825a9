/** @module-tag long */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Clip } from '../../../contract/clip.ts';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { EncodingOptions } from '../../../contract/encoding.ts';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { callMediaLibrary, type MediaDirectory, type MediaName, makeMedia } from '../testing/test-media.ts';
import type { EngineOperation } from '../track-plan/source-stream.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia(
    ...(['noise.mkv', 'mono.wav', 'surround.wav', 'low-rate.m4a', 'quiet.mkv', 'quiet.wav', 'quiet.mp3'] as const),
    ...(['peaks.wav', 'silence.wav', 'one-packet.mp3', 'v.mp4', 'louder.mkv'] as const),
  );
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** Encodes files and verifies the result. */
async function encode(
  inputs: readonly MediaName[],
  ext: OutputContainer,
  options: EncodingOptions,
  type: EngineOperation = 'convert_format',
  clip?: Clip,
) {
  const { path, report } = await processAndVerify(engine, media, {
    ...{ inputs, ext, type, copyStreams: false, ...options },
    ...(clip && { clip }),
  });
  return { path, notes: report.notes };
}

/** Returns the average bit rate of the audio in kbit/s, from its packets. */
async function bitRateOf(path: string): Promise<number> {
  const { streams } = await callMediaLibrary('readMediaDescription', path);
  const audio = streams.find(({ kind }) => kind === 'audio');
  if (audio === undefined) throw new Error('the result has no audio');
  const bytes = audio.packets.reduce((sum, packet) => sum + packet.bytes, 0);
  const times = audio.packets.map(({ pts }) => pts ?? 0);
  const last = audio.packets.at(-1)?.duration ?? 0;
  return (8 * bytes) / 1000 / ((Math.max(...times) + last - Math.min(...times)) * audio.tick);
}

describe('the bit rate of encoded audio', () => {
  it.each<[MediaName, OutputContainer, number]>([
    ['noise.mkv', 'mp3', 64],
    ['noise.mkv', 'mp3', 192],
    ['noise.mkv', 'mp3', 320],
    // MP3 has no such constant bit rate.
    ['noise.mkv', 'mp3', 150],
    ['noise.mkv', 'm4a', 96],
    ['noise.mkv', 'm4a', 256],
    ['noise.mkv', 'mp4', 128],
    ['noise.mkv', 'aac', 160],
    ['noise.mkv', 'opus', 64],
    ['noise.mkv', 'opus', 160],
    ['noise.mkv', 'webm', 96],
    ['noise.mkv', 'ogg', 128],
    ['noise.mkv', 'mkv', 192],
    ['noise.mkv', 'ts', 128],
    ['mono.wav', 'mp3', 96],
    ['mono.wav', 'm4a', 64],
    ['mono.wav', 'opus', 48],
    ['surround.wav', 'mp3', 128],
  ])('of %s in %s is %d kbit/s on average', async (name, ext, audioBitrate) => {
    const { path, notes } = await encode([name], ext, { audioBitrate });
    expect(Math.abs((await bitRateOf(path)) / audioBitrate - 1)).toBeLessThan(0.1);
    expect(notes.filter(({ code }) => code !== 'audio_mixed_down')).toEqual([]);
  });

  it.each<[MediaName, OutputContainer, number, number]>([
    ['mono.wav', 'opus', 320, 256],
    ['mono.wav', 'm4a', 320, 288],
    ['low-rate.m4a', 'mp3', 128, 64],
    ['noise.mkv', 'ogg', 32, 48],
    ['mono.wav', 'ogg', 320, 240],
  ])('of %s in %s cannot be %d kbit/s, which a note says', async (name, ext, audioBitrate, actual) => {
    const { notes } = await encode([name], ext, { audioBitrate });
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatchObject({ code: 'audio_bitrate_limited' });
    expect(notes[0]?.message).toContain(`The audio has ${actual} kbit/s instead of ${audioBitrate} kbit/s`);
  });

  it.each(['flac', 'wav'] as const)('is ignored in %s', async (ext) => {
    expect((await encode(['noise.mkv'], ext, { audioBitrate: 64 })).notes).toEqual([]);
  });

  it.each<[MediaName, OutputContainer, number]>([
    ['noise.mkv', 'mp3', 192],
    ['noise.mkv', 'm4a', 128],
    ['mono.wav', 'mp3', 96],
  ])('of %s in %s is %d kbit/s by default', async (name, ext, expected) => {
    const { path } = await encode([name], ext, {}, 'extract_audio');
    expect(Math.abs((await bitRateOf(path)) / expected - 1)).toBeLessThan(0.1);
  });
});

describe('the loudness of encoded audio', () => {
  it.each<[MediaName, OutputContainer, number]>([
    ['quiet.wav', 'mp3', -14],
    ['quiet.wav', 'wav', -16],
    ['quiet.wav', 'flac', -23],
    ['quiet.mp3', 'm4a', -14],
    ['quiet.wav', 'opus', -18],
    ['quiet.mkv', 'mp4', -14],
    ['quiet.mkv', 'webm', -30],
    ['mono.wav', 'ogg', -20],
    // Louder than requested.
    ['noise.mkv', 'mp3', -30],
    // Amplified so much that the peaks must be limited.
    ['peaks.wav', 'flac', -28],
    ['peaks.wav', 'm4a', -28],
  ])('of %s in %s is adjusted to %d LUFS', async (name, ext, loudness) => {
    const { path, notes } = await encode([name], ext, { loudness });
    const { lufs, peak } = await callMediaLibrary('measureLoudness', path);
    expect(Math.abs(lufs - loudness)).toBeLessThan(1);
    expect(peak).toBeLessThan(-0.9);
    expect(notes).toEqual([]);
  });

  it('is adjusted in a mix', async () => {
    const { path, notes } = await encode(['quiet.mkv', 'quiet.wav'], 'mp4', { loudness: -16 }, 'mix_audio_and_video');
    expect(Math.abs((await callMediaLibrary('measureLoudness', path)).lufs + 16)).toBeLessThan(1);
    expect(notes).toEqual([]);
  });

  it.each([
    { start: 0, end: 3 },
    { start: 5, end: 7.5 },
  ])('is that of the clip %j', async (clip) => {
    const { path, notes } = await encode(['louder.mkv'], 'm4a', { loudness: -24 }, 'extract_audio', clip);
    expect(Math.abs((await callMediaLibrary('measureLoudness', path)).lufs + 24)).toBeLessThan(1);
    expect(notes).toEqual([]);
  });

  it('is noted if the peaks forbid it', async () => {
    const { path, notes } = await encode(['peaks.wav'], 'flac', { loudness: -8 });
    const { lufs, peak } = await callMediaLibrary('measureLoudness', path);
    expect(peak).toBeLessThan(-1);
    expect(notes).toEqual([
      {
        code: 'loudness_not_reached',
        message: `The pcm_s16le audio of input 1 has a loudness of ${lufs.toFixed(1)} LUFS instead of -8 LUFS, because its peaks allow no more.`,
        input: 0,
      },
    ]);
  });

  it.each<[MediaName]>([['silence.wav'], ['one-packet.mp3']])('of %s cannot be measured', async (name) => {
    const { notes } = await encode([name], 'wav', { loudness: -14 });
    expect(notes).toMatchObject([{ code: 'loudness_not_reached', input: 0 }]);
    expect(notes[0]?.message).toContain('is silent or shorter than 0.4 seconds');
  });

  it('does not exist without audio', async () => {
    const { notes } = await encode(['v.mp4'], 'mp4', { loudness: -14 });
    expect(notes).toEqual([
      { code: 'loudness_not_reached', message: 'The result has no audio whose loudness could be changed.' },
    ]);
  });
});
