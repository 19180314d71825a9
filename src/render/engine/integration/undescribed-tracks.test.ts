import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import { createEngine } from '../create-engine.ts';
import type { Engine } from '../engine.ts';
import { changeMp4, emptyDescription, type Mp4Change, removeDescription } from '../testing/change-mp4.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { type MediaDirectory, makeMedia } from '../testing/test-media.ts';
import type { EngineOperation } from '../track-plan/source-stream.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('gop.mp4', 'a.m4a');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** Changes a file whose video is track 0, and its audio track 1. */
function change(...changes: readonly Mp4Change[]): string {
  writeFileSync(media.file('undescribed.mp4'), changeMp4(readFileSync(media.file('gop.mp4')), ...changes));
  return 'undescribed.mp4';
}

async function run(
  inputs: readonly string[],
  ext: OutputContainer,
  { type = 'convert_format' as EngineOperation, copyStreams = true, by = engine } = {},
) {
  const { report } = await processAndVerify(by, media, { inputs, ext, type, copyStreams });
  return { kinds: report.streams.map(({ kind }) => kind), notes: report.notes.map(({ message }) => message) };
}

const leftOut = (kind: string, at: number) =>
  `The unknown ${kind} (input 1, stream ${at}) was left out: its file does not describe it.`;

describe.each([
  ['an empty sample description', emptyDescription],
  ['no sample description', removeDescription],
])('a track with %s', (_what, hide) => {
  it.each<[OutputContainer, boolean]>([
    ['mp4', true],
    ['mkv', false],
  ])('is left out of %s with a note (copied: %s)', async (ext, copyStreams) => {
    const [video, audio] = [['video'], ['audio']];
    expect(await run([change(hide(1))], ext, { copyStreams })).toEqual({ kinds: video, notes: [leftOut('audio', 1)] });
    expect(await run([change(hide(0))], ext, { copyStreams })).toEqual({ kinds: audio, notes: [leftOut('video', 0)] });
  });

  it('leaves the other inputs of the job unchanged', async () => {
    const { kinds } = await run([change(hide(1)), 'a.m4a'], 'mp4', { type: 'replace_audio_in_video' });
    expect(kinds).toEqual(['video', 'audio']);
  });

  it('makes the file unreadable if it has no other track', async () => {
    await expect(run([change(hide(0), hide(1))], 'mkv')).rejects.toMatchObject({
      code: 'input_unreadable',
      message:
        'Input 1 contains no frames of the unknown video (input 1, stream 0), the unknown audio (input 1, stream 1): ' +
        'it does not describe them. Check that the link points to a complete video or audio file.',
    });
    await expect(run([change(hide(1))], 'm4a', { type: 'extract_audio' })).rejects.toMatchObject({
      code: 'input_unreadable',
      message: expect.stringContaining('Input 1 has no audio stream'),
    });
  });
});

it('a child copies the file into the folder that it may write', async () => {
  const child = createEngine({ directory: media.path, spares: 1 });
  try {
    const result = await run([change(emptyDescription(1))], 'mkv', { by: child });
    expect(result).toEqual({ kinds: ['video'], notes: [leftOut('audio', 1)] });
  } finally {
    await child.close();
  }
});
