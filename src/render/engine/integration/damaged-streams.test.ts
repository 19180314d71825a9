import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import type { ProcessReport } from '../tasks/report.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
/** Files that are complete but contain damaged packets. */
import { processAndVerify } from '../testing/process-and-verify.ts';
import { callMediaLibrary, type MediaDirectory, makeMedia } from '../testing/test-media.ts';
import type { EngineOperation } from '../track-plan/source-stream.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('gop.mp4', 'short-audio.mkv', 'av.ts', 'av.webm');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** Returns a copy of a file in which the packets between two times, in seconds, are damaged. */
async function spoil(
  name: 'gop.mp4' | 'short-audio.mkv',
  kind: 'video' | 'audio',
  from: number,
  to: number,
  filling?: 'noise' | 'zeros',
) {
  const spoilt = `spoilt-${name}`;
  await callMediaLibrary('corruptPackets', media.file(name), media.file(spoilt), kind, from, to, filling);
  return spoilt;
}

async function run(
  inputs: readonly (readonly string[])[],
  ext: OutputContainer,
  copyStreams: boolean,
  type: EngineOperation = 'convert_format',
): Promise<ProcessReport> {
  const files = inputs.map(([first = '', ...others]) => ({
    path: media.file(first),
    followedBy: others.map((name) => ({ path: media.file(name) })),
  }));
  const { report } = await processAndVerify(engine, media, { inputs: files, ext, type, copyStreams });
  return report;
}

const message = (text: RegExp) => ({ code: 'input_unreadable', message: expect.stringMatching(text), input: 0 });

describe('a stream with too much damage', () => {
  it.each([
    ['video', 2.2, 4],
    ['audio', 2.2, 4],
    ['audio', 1, 2.5],
  ] as const)('is refused when it is encoded: %s from %d s to %d s', async (kind, from, to) => {
    const name = await spoil('gop.mp4', kind, from, to);
    await expect(run([[name]], 'mkv', false)).rejects.toMatchObject(
      message(
        new RegExp(
          `^The \\w+ ${kind} of input 1 is damaged: 1\\.[4-8] s of 4\\.\\d s could not be decoded\\. ` +
            'Use another source, or set copyStreams to true to copy the stream with its damage\\.$',
        ),
      ),
    );
  });

  it('is refused when it is mixed, without suggesting copyStreams', async () => {
    const name = await spoil('gop.mp4', 'audio', 1, 2.5);
    const done = run([[name], ['short-audio.mkv']], 'mp4', true, 'mix_audio_and_video');
    await expect(done).rejects.toMatchObject(message(/could not be decoded\. Use another source\.$/));
  });

  it('is refused with an error that names its part', async () => {
    const name = await spoil('gop.mp4', 'audio', 1, 2.5);
    const done = run([['av.ts', name]], 'mp4', false);
    await expect(done).rejects.toMatchObject(
      message(/^The aac audio of part 2 of input 1 is damaged: 1\.\d s of 4\.\d s/),
    );
  });

  it('is still copied if its packets have no structure', async () => {
    expect((await run([[await spoil('gop.mp4', 'audio', 2.2, 4)]], 'mkv', true)).notes).toEqual([]);
  });
});

describe('a stream with little damage', () => {
  it.each(['video', 'audio'] as const)('is encoded, with a note: %s', async (kind) => {
    const name = await spoil('gop.mp4', kind, 2.2, 2.6);
    const { notes } = await run([[name]], 'mkv', false);
    expect(notes).toEqual([
      {
        code: 'frames_left_out',
        message: expect.stringMatching(
          new RegExp(
            `^The \\w+ ${kind} of input 1 is damaged: 0\\.[2-5] s of 4\\.\\d s could not be decoded and is missing\\.$`,
          ),
        ),
        input: 0,
      },
    ]);
  });
});

describe('a copied stream is refused', () => {
  // Only MP4 is made of sample tables; the media library makes the other results.
  it.each([
    ['video', 'zeros', 'mp4'],
    ['video', 'zeros', 'mkv'],
    ['audio', 'zeros', 'mp4'],
    ['audio', 'zeros', 'mkv'],
    ['video', 'noise', 'mp4'],
    ['video', 'noise', 'mkv'],
  ] as const)('if its %s contains %s: %s', async (kind, filling, ext) => {
    const name = await spoil('gop.mp4', kind, 2.2, 2.3, filling);
    await expect(run([[name]], ext, true)).rejects.toMatchObject(
      message(
        new RegExp(
          `^The \\w+ ${kind} of input 1 is damaged at 2\\.\\d s of the result: (a packet|the units of a packet) .*\\. ` +
            'Use another source, or set copyStreams to false to encode what can be decoded\\.$',
        ),
      ),
    );
  });
});

it('packets before the first keyframe do not count as damage', async () => {
  await run([['gop.mp4']], 'ts', true);
  const whole = readFileSync(media.file('result.ts'));
  writeFileSync(media.file('cut-in.ts'), whole.subarray(188 * Math.floor((whole.length * 0.3) / 188)));
  const { notes } = await run([['cut-in.ts']], 'mkv', false);
  expect(notes).toEqual([]);
});

it('refuses VP9 in MP4 if no frame states its format', async () => {
  await run([['av.webm']], 'mp4', true);
  await callMediaLibrary('corruptPackets', media.file('result.mp4'), media.file('noise.mp4'), 'video', 0, 10);
  await run([['noise.mp4']], 'webm', true);
  copyFileSync(media.file('result.webm'), media.file('noise.webm'));
  await expect(run([['noise.webm']], 'mp4', true)).rejects.toMatchObject({
    code: 'incompatible_codecs',
    message: expect.stringContaining(
      'the vp9 video (input 1, stream 0) cannot be copied into it because no frame was found that states its format.',
    ),
  });
});
