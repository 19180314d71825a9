/** @module-tag long */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { describeMedia, type MediaDirectory, type MediaName, makeMedia, unusualNames } from '../testing/test-media.ts';
import type { EngineOperation } from '../track-plan/source-stream.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia(...unusualNames, 'av.mp4', 'v.mp4', 'late-audio.mp4', 'long-audio.mp4', 'rich.mp4');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

async function proven(type: EngineOperation, names: readonly MediaName[], ext: OutputContainer, copyStreams: boolean) {
  const { report } = await processAndVerify(engine, media, { inputs: names, ext, type, copyStreams });
  return report;
}

const audioOnly = unusualNames.filter((name) => /\.(mp3|m4a|ac3)$/.test(name));
const films = unusualNames.filter((name) => !audioOnly.includes(name));

describe('audio that begins long after the start of the file', () => {
  const late = ['very-late-audio.mkv', 'very-late-audio.ts'] as const;
  const extentOf = async (index: number, ext: string) => {
    const { streams } = await describeMedia(media.file(`result.${ext}`));
    const { first = Number.NaN, end = Number.NaN } = streams[index] ?? {};
    // Rounding can yield -0.
    return [Math.round(first) + 0, Math.round(end)];
  };

  it.each(late)('stays in sync with the video: %s', async (name) => {
    const { notes } = await proven('convert_format', [name], 'mp4', true);
    expect(notes).toEqual([]);
    expect(await extentOf(1, 'mp4')).toEqual([45, 53]);
  });

  it.each(late)('begins immediately when it is extracted or comes from another input: %s', async (name) => {
    for (const copyStreams of [true, false]) {
      await proven('extract_audio', [name], 'm4a', copyStreams);
      expect(await extentOf(0, 'm4a')).toEqual([0, 8]);
      for (const type of ['replace_audio_in_video', 'mix_audio_and_video'] as const) {
        await proven(type, ['av.mp4', name], 'mp4', copyStreams);
        expect(await extentOf(1, 'mp4')).toEqual([0, 8]);
      }
    }
  });
});

describe('valid files with unusual timing', () => {
  it.each([...films, ...audioOnly])('pass verification: %s copied into Matroska', async (name) => {
    await expect(proven('convert_format', [name], 'mkv', true)).resolves.toBeDefined();
  });

  // Each file is copied into either MP4 or MPEG-TS. MPEG-TS cannot hold the streams of the AVI file.
  it.each(films.map((name, at) => [name, at % 2 === 0 || name === 'av.avi' ? 'mp4' : 'ts'] as const))(
    'pass verification: %s copied into %s',
    async (name, ext) => {
      await expect(proven('convert_format', [name], ext, true)).resolves.toBeDefined();
    },
  );

  it.each(unusualNames.filter((_, at) => at % 3 === 0))('pass verification: %s encoded', async (name) => {
    await expect(proven('convert_format', [name], 'mkv', false)).resolves.toBeDefined();
  });

  it.each<[EngineOperation, MediaName[], OutputContainer]>([
    ['join_streams', ['v.mp4', 'low-rate.m4a'], 'mp4'],
    ['join_streams', ['gap.mkv', 'low-rate.m4a', 'one-packet.mp3'], 'mkv'],
    ['replace_audio_in_video', ['slides.mp4', 'low-rate.m4a'], 'mp4'],
    ['replace_audio_in_video', ['short-audio.mkv', 'one-packet.m4a'], 'mkv'],
    ['replace_audio_in_video', ['av.avi', 'a.ac3'], 'mkv'],
    ['mix_audio_and_video', ['very-late-audio.mkv', 'low-rate.m4a'], 'mp4'],
    ['mix_audio_and_video', ['gap.ts', 'late-audio.mp4'], 'mkv'],
    ['mix_audio_and_video', ['one-frame.mp4', 'one-packet.m4a'], 'mp4'],
    ['extract_audio', ['very-late-audio.mkv'], 'm4a'],
    ['extract_audio', ['gap.mp4'], 'm4a'],
    ['extract_video', ['slides.ts'], 'mp4'],
    ['extract_video', ['video-gap.mkv'], 'mp4'],
    ['extract_video', ['rich.mp4'], 'mkv'],
  ])('pass verification: %s of %j into %s', async (type, names, ext) => {
    await expect(proven(type, names, ext, true)).resolves.toBeDefined();
    await expect(proven(type, names, ext, false)).resolves.toBeDefined();
  });
});
