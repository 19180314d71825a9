import { createReadStream, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import type { ProcessReport } from '../tasks/report.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { type MediaDirectory, type MediaName, makeMedia, mediaSeconds } from '../testing/test-media.ts';
import type { EngineOperation } from '../track-plan/source-stream.ts';
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

const signal = new AbortController().signal;

/** Runs an operation and verifies its result as the service does: with a fresh reader. */
async function run(
  type: EngineOperation,
  ext: OutputContainer,
  inputs: readonly MediaName[],
  copyStreams = true,
): Promise<ProcessReport> {
  const path = media.file(`result.${ext}`);
  const fractions: number[] = [];
  const report = await engine.process(
    {
      directory: media.path,
      inputs: inputs.map((name) => ({ path: media.file(name), duration: mediaSeconds })),
      output: { path, ext },
      operation: { type, copyStreams },
      maxOutputBytes: 10_000_000,
    },
    { signal, onProgress: (fraction) => fractions.push(fraction) },
  );
  const probed = await engine.probe({ directory: media.path, path, ext }, { signal });
  verifyResult(report, probed);
  expect(report.bytes).toBe(statSync(path).size);
  expect(Math.abs(probed.duration - report.duration)).toBeLessThan(0.1);
  for (const { duration = 0 } of report.streams) expect(Math.abs(duration - mediaSeconds)).toBeLessThan(0.15);
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  return report;
}

const codecs = ({ streams }: ProcessReport) => streams.map(({ codec }) => codec).join('+');

/** The default encoders of each container, as codec names. */
const encoded: Record<OutputContainer, { video?: string; audio: string }> = {
  mp4: { video: 'h264', audio: 'aac' },
  m4a: { audio: 'aac' },
  mkv: { video: 'h264', audio: 'aac' },
  webm: { video: 'vp9', audio: 'opus' },
  mp3: { audio: 'mp3' },
  mov: { video: 'h264', audio: 'aac' },
  ts: { video: 'h264', audio: 'aac' },
  ogg: { audio: 'vorbis' },
  opus: { audio: 'opus' },
  wav: { audio: 'pcm_s16le' },
  flac: { audio: 'flac' },
  aac: { audio: 'aac' },
};

// corpus-copies.test.ts tests every codec of the table in every container.
describe('copying', () => {
  it.each<[EngineOperation, OutputContainer, MediaName[], string]>([
    ['join_streams', 'mp4', ['v.mp4', 'a.m4a'], 'h264+aac'],
    ['join_streams', 'mp4', ['v.mp4', 'a.webm'], 'h264+opus'],
    ['join_streams', 'mkv', ['a.mp3', 'v.mp4', 'av.webm'], 'h264+vp9+mp3+opus'],
    ['join_streams', 'webm', ['av.webm', 'a.webm'], 'vp9+opus+opus'],
    ['join_streams', 'm4a', ['a.m4a', 'a.m4a'], 'aac+aac'],
    ['convert_format', 'mp4', ['av.ts'], 'h264+aac'],
    ['convert_format', 'mp4', ['fragmented.mp4'], 'h264+aac'],
    ['convert_format', 'mp4', ['av.webm'], 'vp9+opus'],
    ['convert_format', 'mkv', ['av.ts'], 'h264+aac'],
    ['convert_format', 'mp3', ['a.mp3'], 'mp3'],
    ['extract_audio', 'm4a', ['av.ts'], 'aac'],
    ['extract_audio', 'm4a', ['moov-last.mp4'], 'aac'],
    ['extract_audio', 'mkv', ['av.mp4'], 'aac'],
    ['extract_audio', 'webm', ['av.webm'], 'opus'],
    ['extract_video', 'mp4', ['av.ts'], 'h264'],
    ['extract_video', 'webm', ['av.webm'], 'vp9'],
    ['replace_audio_in_video', 'mp4', ['av.mp4', 'a.mp3'], 'h264+mp3'],
    ['replace_audio_in_video', 'mkv', ['av.webm', 'av.ts'], 'vp9+aac'],
    ['mix_audio_and_video', 'mp4', ['av.mp4', 'a.mp3'], 'h264+aac'],
    ['mix_audio_and_video', 'mkv', ['av.webm', 'a.m4a'], 'vp9+aac'],
    ['mix_audio_and_video', 'webm', ['av.webm', 'a.mp3'], 'vp9+opus'],
    ['convert_format', 'mov', ['av.ts'], 'h264+aac'],
    ['join_streams', 'mov', ['v.mp4', 'a.wav'], 'h264+pcm_s16le'],
    ['convert_format', 'ts', ['av.mp4'], 'h264+aac'],
    ['join_streams', 'ts', ['v.mp4', 'a.m4a', 'a.mp3'], 'h264+aac+mp3'],
    ['mix_audio_and_video', 'ts', ['av.mkv', 'a.aac'], 'h264+aac'],
    ['extract_audio', 'aac', ['av.ts'], 'aac'],
    ['extract_audio', 'ogg', ['av.webm'], 'opus'],
    ['join_streams', 'ogg', ['a.ogg', 'a.opus', 'a.flac'], 'vorbis+opus+flac'],
    ['extract_audio', 'opus', ['av.webm'], 'opus'],
    ['join_streams', 'mp4', ['v.mp4', 'a.aac'], 'h264+aac'],
    ['join_streams', 'mkv', ['v.mp4', 'a.ogg', 'a.wav'], 'h264+vorbis+pcm_s16le'],
  ])('keeps the codecs: %s into %s from %j', async (type, ext, inputs, expected) => {
    expect(codecs(await run(type, ext, inputs))).toBe(expected);
  });
});

describe('re-encoding', { tags: ['long'] }, () => {
  type Case = [EngineOperation, OutputContainer, MediaName[], string];
  const cases = (Object.keys(encoded) as OutputContainer[]).flatMap((ext): Case[] => {
    const { video, audio } = encoded[ext];
    const sound: Case = ['extract_audio', ext, ['av.ts'], audio];
    if (video === undefined) return [sound, ['join_streams', ext, ['a.flac'], audio]];
    const both = `${video}+${audio}`;
    const films: Case[] = [
      ['convert_format', ext, ['av.mp4'], both],
      ['mix_audio_and_video', ext, ['av.ts', 'a.webm'], both],
    ];
    // The other containers use the same encoders.
    if (ext !== 'mp4' && ext !== 'webm') return films;
    return [
      sound,
      ...films,
      ['convert_format', ext, ['a.webm'], audio],
      ['join_streams', ext, ['v.mp4', 'a.wav'], both],
      ['extract_video', ext, ['av.webm'], video],
      ['replace_audio_in_video', ext, ['av.mkv', 'a.ogg'], both],
    ];
  });

  it.each(cases)('uses the default encoders: %s into %s from %j', async (type, ext, inputs, expected) => {
    expect(codecs(await run(type, ext, inputs, false))).toBe(expected);
  });
});

describe('incompatible operations', () => {
  it.each<[EngineOperation, OutputContainer, MediaName[], string, RegExp]>([
    [
      'convert_format',
      'webm',
      ['av.mp4'],
      'incompatible_codecs',
      /incompatible codecs for the container webm.*mp4 or mov or mkv or ts/,
    ],
    ['extract_audio', 'mp3', ['av.mp4'], 'incompatible_codecs', /the aac audio .*copyStreams to false/],
    ['convert_format', 'mp3', ['av.mp4'], 'incompatible_codecs', /extract_audio/],
    ['convert_format', 'ts', ['av.webm'], 'incompatible_codecs', /Choose output.ext mp4 or mkv or webm, or set/],
    ['extract_audio', 'wav', ['av.mp4'], 'incompatible_codecs', /m4a or aac, or set copyStreams to false/],
    ['join_streams', 'opus', ['a.opus', 'a.opus'], 'incompatible_codecs', /it holds 1 audio stream/],
    ['extract_audio', 'm4a', ['v.mp4'], 'input_unreadable', /^Input 1 has no audio stream/],
    ['replace_audio_in_video', 'mp4', ['av.mp4', 'v.mp4'], 'input_unreadable', /^Input 2 has no audio stream/],
    ['mix_audio_and_video', 'mp4', ['a.m4a', 'a.mp3'], 'input_unreadable', /^Input 1 has no video stream/],
  ])('are refused: %s into %s from %j', async (type, ext, inputs, code, message) => {
    await expect(run(type, ext, inputs)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });
});

it('puts the index of an MP4 before its media, so that it can play while it downloads', async () => {
  await run('convert_format', 'mp4', ['moov-last.mp4']);
  const [head] = await createReadStream(media.file('result.mp4'), { end: 63 }).toArray();
  expect(head.toString('latin1')).toMatch(/ftyp.*moov/s);
});
