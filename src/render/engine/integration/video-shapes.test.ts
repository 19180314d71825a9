/** @module-tag long */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { VideoShape } from '../../../contract/encoding.ts';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { callMediaLibrary, type MediaDirectory, type MediaName, makeMedia } from '../testing/test-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('anamorphic.mkv', 'odd.mkv', 'fast.mp4', 'large.mp4', 'turned.mkv', 'spherical.mp4');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

const portrait = { width: 9, height: 16 };

/** Encodes a file, verifies the result, and reads its video with the tests' own reader. */
async function encode(name: MediaName, ext: OutputContainer, video: VideoShape) {
  const { path, report } = await processAndVerify(engine, media, { inputs: [name], ext, copyStreams: false, video });
  const { streams } = await callMediaLibrary('readMediaDescription', path);
  const stream = streams.find(({ kind }) => kind === 'video');
  if (stream === undefined) throw new Error('the result has no video');
  const times = stream.packets.map(({ pts }) => (pts ?? 0) * stream.tick).toSorted((a, b) => a - b);
  return { codec: stream.codec, traits: stream.traits, times, notes: report.notes };
}

describe('the height of encoded video', () => {
  it.each<[MediaName, OutputContainer, number, string]>([
    ['large.mp4', 'mp4', 180, '320x180'],
    ['large.mp4', 'webm', 101, '178x100'],
    ['large.mp4', 'ts', 1080, '640x360'],
    ['odd.mkv', 'mp4', 90, '160x90'],
    ['odd.mkv', 'mkv', 500, '320x180'],
  ])('of %s in %s is at most %d pixels', async (name, ext, maxHeight, size) => {
    const { traits, notes } = await encode(name, ext, { maxHeight });
    expect(traits.size).toBe(size);
    expect(traits.pixels).toBe('1:1');
    expect(notes).toEqual([]);
  });

  it('is that of the displayed frame', async () => {
    const { traits } = await encode('turned.mkv', 'mp4', { maxHeight: 160 });
    expect(traits.size).toBe('90x160');
    expect(traits).not.toHaveProperty('display matrix');
  });

  it.each<[VideoShape, string]>([
    [
      { codec: 'av1', crop: portrait, maxHeight: 90 },
      'would have 50 × 90 pixels, but its encoder needs at least 64 × 64',
    ],
    [{ codec: 'h265', crop: { width: 99, height: 1 } }, 'pixels, but its encoder needs at least 16 × 16'],
  ])('is refused if the encoder cannot encode it: %j', async (shape, message) => {
    await expect(encode('large.mp4', 'mp4', shape)).rejects.toMatchObject({
      code: 'source_unsupported',
      retryable: false,
      message: expect.stringContaining(message),
    });
  });

  it('does not change the shape of the pixels', async () => {
    const { traits } = await encode('anamorphic.mkv', 'mp4', { maxHeight: 72 });
    expect(traits).toMatchObject({ size: '160x72', pixels: '16:9' });
  });
});

describe('the crop of encoded video', () => {
  it.each<[MediaName, OutputContainer, VideoShape, string]>([
    ['large.mp4', 'mp4', { crop: portrait }, '202x360'],
    ['large.mp4', 'mov', { crop: portrait, maxHeight: 180 }, '102x180'],
    ['odd.mkv', 'mkv', { crop: { width: 1, height: 1 } }, '180x180'],
    // 81 by 144 square pixels.
    ['anamorphic.mkv', 'mp4', { crop: portrait }, '46x144'],
    // The displayed frame is 180 by 320 pixels.
    ['turned.mkv', 'mp4', { crop: { width: 16, height: 9 } }, '180x102'],
    ['turned.mkv', 'ts', { crop: { width: 1, height: 1 }, maxHeight: 90 }, '90x90'],
  ])('of %s in %s with %j has the size %s', async (name, ext, shape, size) => {
    const { traits } = await encode(name, ext, shape);
    expect(traits.size).toBe(size);
    expect(traits).not.toHaveProperty('display matrix');
  });
});

describe('the frame rate of encoded video', () => {
  it.each<[OutputContainer, number, number]>([
    ['mp4', 25, 50],
    ['mkv', 10, 20],
    ['webm', 30, 60],
    ['ts', 1, 2],
    ['mp4', 60, 100],
  ])('in %s is at most %d frames per second', async (ext, maxFps, frames) => {
    const { times } = await encode('fast.mp4', ext, { maxFps });
    expect(times).toHaveLength(frames);
    const seconds = (times.at(-1) ?? 0) - (times[0] ?? 0);
    expect(Math.abs(seconds - (frames - 1) / Math.min(50, maxFps))).toBeLessThan(0.05);
  });
});

describe('the codec of encoded video', () => {
  it.each<[NonNullable<VideoShape['codec']>, OutputContainer, string]>([
    ['h265', 'mp4', 'hevc'],
    ['h265', 'mov', 'hevc'],
    ['h265', 'ts', 'hevc'],
    ['vp9', 'mp4', 'vp9'],
    ['av1', 'mp4', 'av1'],
    ['av1', 'webm', 'av1'],
    ['av1', 'mkv', 'av1'],
    ['h264', 'mkv', 'h264'],
  ])('is %s in %s', async (codec, ext, name) => {
    const { codec: written, times } = await encode('large.mp4', ext, { codec });
    expect(written).toBe(name);
    expect(times).toHaveLength(50);
  });
});
