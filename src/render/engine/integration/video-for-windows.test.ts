import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { describeMedia, type MediaDirectory, makeMedia } from '../testing/test-media.ts';
import { toVideoForWindows } from '../testing/video-for-windows.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('av.mkv', 'in-order.mkv');
  for (const name of ['av.mkv', 'in-order.mkv']) {
    writeFileSync(media.file(`vfw-${name}`), toVideoForWindows(readFileSync(media.file(name))));
  }
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

async function convert(name: string, ext: OutputContainer, copyStreams = true) {
  const { path } = await processAndVerify(engine, media, { inputs: [name], ext, copyStreams });
  return (await describeMedia(path)).streams;
}

describe('H.264 in the Video for Windows mode of Matroska, which stores decoding timestamps', () => {
  it.each(['mp4', 'mkv'] as const)('is not copied into %s if frames are reordered', async (ext) => {
    await expect(convert('vfw-av.mkv', ext)).rejects.toMatchObject({
      code: 'incompatible_codecs',
      message: expect.stringMatching(/the h264 video \(input 1, stream 0\) cannot be copied because its file does not/),
    });
  });

  it('is encoded with its original duration', async () => {
    const [video] = await convert('vfw-av.mkv', 'mp4', false);
    expect((video?.end ?? 0) - (video?.first ?? 0)).toBeCloseTo(4, 1);
  });

  it.each(['mp4', 'mkv'] as const)('is copied in sync into %s if no frames are reordered', async (ext) => {
    const [video, audio] = await convert('vfw-in-order.mkv', ext);
    const [sameVideo, sameAudio] = await convert('in-order.mkv', ext);
    expect((video?.first ?? 0) - (audio?.first ?? 0)).toBeCloseTo((sameVideo?.first ?? 0) - (sameAudio?.first ?? 0), 2);
    expect(video?.end).toBeCloseTo(sameVideo?.end ?? 0, 2);
  });
});
