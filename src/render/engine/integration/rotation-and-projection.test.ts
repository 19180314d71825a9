import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { describeMedia, type MediaDirectory, type MediaName, makeMedia } from '../testing/test-media.ts';
import type { EngineOperation } from '../track-plan/source-stream.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('spherical.mp4', 'encrypted.mp4', 'a.m4a');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

async function run(type: EngineOperation, ext: OutputContainer, inputs: readonly MediaName[], copyStreams = true) {
  const path = media.file(`result.${ext}`);
  const task = {
    directory: media.path,
    inputs: inputs.map((name) => ({ path: media.file(name) })),
    output: { path, ext },
    operation: { type, copyStreams },
    maxOutputBytes: 10_000_000,
  };
  const { notes } = await engine.process(task, { signal: new AbortController().signal });
  const { streams } = await describeMedia(path);
  return { spherical: streams[0]?.flags.includes('spherical'), notes };
}

describe('a spherical video', () => {
  it.each<[string, EngineOperation, OutputContainer, MediaName[], boolean]>([
    ['on the fast path', 'extract_video', 'mp4', ['spherical.mp4'], true],
    ['copied', 'convert_format', 'mkv', ['spherical.mp4'], true],
    ['re-encoded', 'convert_format', 'mp4', ['spherical.mp4'], false],
    ['mixed', 'mix_audio_and_video', 'mp4', ['spherical.mp4', 'a.m4a'], true],
  ])('stays spherical when it is %s', async (_how, type, ext, inputs, copyStreams) => {
    expect(await run(type, ext, inputs, copyStreams)).toEqual({ spherical: true, notes: [] });
  });

  it('plays flat in MPEG-TS, with a note', async () => {
    const message = 'The h264 video of input 1 will play flat: MPEG-TS cannot store its projection.';
    const notes = [{ code: 'projection_lost', message, input: 0 }];
    expect(await run('convert_format', 'ts', ['spherical.mp4'])).toEqual({ spherical: false, notes });
  });
});

describe('an encrypted file', () => {
  it.each<[EngineOperation, OutputContainer, MediaName[], boolean, string, number]>([
    ['convert_format', 'mp4', ['encrypted.mp4'], true, 'The h264 video of input 1 (stream 0)', 0],
    ['convert_format', 'mkv', ['encrypted.mp4'], true, 'The h264 video of input 1 (stream 0)', 0],
    ['convert_format', 'mp4', ['encrypted.mp4'], false, 'The h264 video of input 1 (stream 0)', 0],
    ['extract_audio', 'm4a', ['encrypted.mp4'], true, 'The aac audio of input 1 (stream 1)', 0],
    [
      'replace_audio_in_video',
      'mkv',
      ['spherical.mp4', 'encrypted.mp4'],
      true,
      'The aac audio of input 2 (stream 1)',
      1,
    ],
  ])('is refused: %s into %s from %j (copied: %s)', async (type, ext, inputs, copyStreams, what, input) => {
    await expect(run(type, ext, inputs, copyStreams)).rejects.toMatchObject({
      code: 'source_unsupported',
      message: `${what} is encrypted. Millrace does not decrypt media; use a source without DRM.`,
      input,
    });
  });
});
