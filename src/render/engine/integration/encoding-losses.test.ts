import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { describeMedia, type MediaDirectory, type MediaName, makeMedia } from '../testing/test-media.ts';
import type { EngineOperation } from '../track-plan/source-stream.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia(
    ...([
      'flags.mkv',
      'hdr.mkv',
      'transparent.webm',
      'surround.wav',
      'many-fonts.mkv',
      'too-many-fonts.mkv',
      'av.mp4',
    ] as const),
  );
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** Returns the flags of each stream of a verified result, and its notes. */
async function run(names: readonly MediaName[], ext: OutputContainer, copyStreams = true, type?: EngineOperation) {
  const { path, report } = await processAndVerify(engine, media, {
    inputs: names,
    ext,
    copyStreams,
    ...(type && { type }),
  });
  const { streams } = await describeMedia(path);
  const notes = report.notes.filter(({ code }) => code !== 'subtitle_converted');
  return { flags: streams.map((stream) => stream.flags), notes };
}

describe('audio with more channels than the encoder supports', () => {
  it.each<[MediaName[], OutputContainer, EngineOperation, number]>([
    [['surround.wav'], 'mp3', 'convert_format', 0],
    [['av.mp4', 'surround.wav'], 'mp4', 'mix_audio_and_video', 1],
  ])('is mixed down from %j in %s, with a note', async (names, ext, type, input) => {
    const { notes } = await run(names, ext, false, type);
    const message = `The pcm_s16le audio of input ${input + 1} was mixed down from 6 to 2 channels.`;
    expect(notes).toEqual([{ code: 'audio_mixed_down', message, input }]);
  });

  it('keeps its channels if the encoder supports them', async () => {
    expect((await run(['surround.wav'], 'm4a', false)).notes).toEqual([]);
  });
});

describe('WebM transparency', () => {
  it.each(['webm', 'mkv'] as const)('is preserved in a %s copy', async (ext) => {
    const { flags, notes } = await run(['transparent.webm'], ext);
    expect([flags[0], notes]).toEqual([expect.arrayContaining(['transparent']), []]);
  });

  it.each<[OutputContainer, boolean, string]>([
    ['mp4', true, 'The vp9 video of input 1 will play without transparency: MP4 cannot store it.'],
    ['webm', false, 'The vp9 video of input 1 was encoded without its transparency.'],
  ])('is lost in %s (copied: %s), with a note', async (ext, copyStreams, message) => {
    const { notes } = await run(['transparent.webm'], ext, copyStreams);
    expect(notes).toEqual([{ code: 'transparency_lost', message, input: 0 }]);
  });
});

describe('HDR light levels', () => {
  it.each<[OutputContainer, boolean]>([
    ['mp4', true],
    ['mp4', false],
    ['mkv', false],
    ['webm', false],
  ])('are preserved in %s (copied: %s)', async (ext, copyStreams) => {
    const { flags, notes } = await run(['hdr.mkv'], ext, copyStreams);
    expect([flags[0], notes]).toEqual([expect.arrayContaining(['light level']), []]);
  });

  it('are lost in MPEG-TS, with a note', async () => {
    const message =
      'The h264 video of input 1 lost the HDR brightness levels of its container: MPEG-TS cannot store them.';
    expect((await run(['hdr.mkv'], 'ts')).notes).toEqual([{ code: 'hdr_metadata_lost', message, input: 0 }]);
  });
});

describe('stream flags', () => {
  it.each(['mp4', 'mkv'] as const)('are preserved in %s', async (ext) => {
    const { flags, notes } = await run(['flags.mkv'], ext);
    expect([flags[2], notes]).toEqual([['forced'], []]);
  });

  it('have a note if QuickTime cannot store them, and forced subtitles do not become the default', async () => {
    const { flags, notes } = await run(['flags.mkv'], 'mov');
    expect(flags[2]).toEqual([]);
    expect(notes.map(({ code, message, input }) => [code, message, input])).toEqual([
      [
        'flags_lost',
        'The purpose of the aac audio of input 1 (for the hearing impaired, a commentary) was lost: QuickTime cannot store it.',
        0,
      ],
      ['flags_lost', 'The purpose of the subrip subtitle of input 1 (forced) was lost: QuickTime cannot store it.', 0],
    ]);
  });
});

it('rejects a file with too many streams', async () => {
  await expect(run(['too-many-fonts.mkv'], 'mkv')).rejects.toMatchObject({
    code: 'source_unsupported',
    message: 'Input 1 has more than 512 streams. Use a file with fewer.',
    input: 0,
  });
});

it('keeps 64 of many streams, and adds a note for each of the others', async () => {
  const { flags, notes } = await run(['many-fonts.mkv'], 'mkv');
  expect(flags).toHaveLength(64);
  expect(notes.map(({ code }) => code)).toEqual(Array(137 - 64).fill('stream_left_out'));
});
