/** @module-tag long */

import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny';
import { parseFile } from 'music-metadata';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Clip } from '../../../contract/clip.ts';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { EncodingOptions } from '../../../contract/encoding.ts';
import type { OutputMetadata } from '../../../contract/output-additions.ts';
import { createEngine } from '../create-engine.ts';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { describeMedia, type MediaDirectory, type MediaName, makeMedia } from '../testing/test-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia(
    'rolling.mkv',
    'quiet.mkv',
    'quiet.wav',
    'noise.mkv',
    'tone.mkv',
    'av.mp4',
    'av.ts',
    'one-frame.ts',
  );
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** A shape with which video cannot fill a large size. */
const tiny = { maxHeight: 64, maxFps: 5 };

/** Encodes a file to fit a size, and returns the size of the verified result relative to it. */
async function encodeWithin(
  name: MediaName,
  ext: OutputContainer,
  maxSize: number,
  { metadata = {}, ...encoding }: EncodingOptions & { readonly clip?: Clip; readonly metadata?: OutputMetadata } = {},
  by = engine,
) {
  const { path, report } = await processAndVerify(by, media, {
    inputs: [name],
    ext,
    copyStreams: false,
    output: { maxSize, metadata },
    ...encoding,
  });
  const { streams } = await describeMedia(path);
  return { share: report.bytes / maxSize, codes: report.notes.map(({ code }) => code), streams, report, path };
}

describe('output.maxSize', () => {
  it.each<[MediaName, OutputContainer, number]>([
    ['quiet.mkv', 'mp4', 200_000],
    ['quiet.mkv', 'mp4', 400_000],
    ['quiet.mkv', 'mov', 300_000],
    ['quiet.mkv', 'mkv', 250_000],
    ['quiet.mkv', 'webm', 200_000],
    ['quiet.mkv', 'webm', 400_000],
    ['quiet.mkv', 'ts', 300_000],
    ['rolling.mkv', 'mp4', 300_000],
    ['rolling.mkv', 'mkv', 900_000],
    ['noise.mkv', 'mp3', 70_000],
    ['noise.mkv', 'mp3', 200_000],
    ['noise.mkv', 'mp3', 240_000],
    ['tone.mkv', 'mp3', 330_000],
    ['noise.mkv', 'm4a', 100_000],
    ['noise.mkv', 'aac', 100_000],
    ['noise.mkv', 'opus', 70_000],
    ['noise.mkv', 'ogg', 100_000],
  ])('is used to at least nine tenths for %s in %s with %d bytes', async (name, ext, maxSize) => {
    const { share, codes } = await encodeWithin(name, ext, maxSize);
    expect(share).toBeLessThanOrEqual(1);
    expect(share).toBeGreaterThanOrEqual(0.9);
    expect(codes.filter((code) => code.startsWith('size'))).toEqual([]);
  });

  it.each(['h265', 'vp9', 'av1'] as const)('is used to at least nine tenths for %s video', async (codec) => {
    const { share, streams } = await encodeWithin('quiet.mkv', 'mkv', 300_000, { video: { codec } });
    expect(share).toBeLessThanOrEqual(1);
    expect(share).toBeGreaterThanOrEqual(0.9);
    expect(streams[0]?.codec).toBe(codec === 'h265' ? 'hevc' : codec);
  });

  it.each<OutputContainer>(['mp4', 'mov', 'mkv', 'webm', 'ts'])('is filled with padding in %s', async (ext) => {
    const { share, codes } = await encodeWithin('quiet.mkv', ext, 10_000_000, { video: tiny });
    expect(share).toBeLessThanOrEqual(1);
    expect(share).toBeGreaterThanOrEqual(0.9);
    expect(codes).toContain('size_padded');
  });

  it.each<OutputContainer>([...(['m4a', 'mp3', 'aac', 'ogg', 'opus', 'flac', 'wav'] as const)])(
    'is filled with padding that other readers skip in %s',
    async (ext) => {
      const metadata = { title: 'A title', artist: 'An artist' };
      const { share, codes, path } = await encodeWithin('noise.mkv', ext, 2_000_000, { metadata });
      expect(share).toBeLessThanOrEqual(1);
      expect(share).toBeGreaterThanOrEqual(0.9);
      expect(codes).toEqual(['size_padded']);
      const { common, format } = await parseFile(path, { duration: true });
      expect(common).toMatchObject(metadata);
      expect(format.duration).toBeCloseTo(8, 0);
      const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
      expect(await input.computeDuration()).toBeCloseTo(8, 0);
      expect(await input.getMetadataTags()).toMatchObject(metadata);
    },
  );

  it('is filled with padding in an Ogg file with several streams', async () => {
    const { path, report } = await processAndVerify(engine, media, {
      inputs: ['noise.mkv', 'tone.mkv'],
      ext: 'ogg',
      type: 'join_streams',
      copyStreams: false,
      output: { maxSize: 2_000_000, metadata: { title: 'A title' } },
    });
    expect(report.notes.map(({ code }) => code)).toEqual(['size_padded']);
    const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
    expect(await input.getTracks()).toHaveLength(2);
    expect(await input.computeDuration()).toBeCloseTo(8, 0);
  });

  it('is filled with padding by audio that an average bit rate of MP3 does not fill', async () => {
    const { share, report } = await encodeWithin('tone.mkv', 'mp3', 290_000);
    expect(share).toBeGreaterThanOrEqual(0.9);
    expect(report.notes).toEqual([{ code: 'size_padded', message: expect.stringMatching(/only 25\d{4} bytes/) }]);
  });

  it('has a note if the streams cannot use it, and the container cannot be padded so much', async () => {
    const { share, report } = await encodeWithin('noise.mkv', 'mp3', 300_000_000);
    expect(share).toBeLessThan(0.9);
    expect(report.notes).toEqual([
      {
        code: 'size_not_used',
        message: expect.stringMatching(
          /^The encoded streams have only \d+ bytes, and MP3 files can be padded by at most/,
        ),
      },
    ]);
  });

  it('applies to a clip', async () => {
    const { share, report } = await encodeWithin('rolling.mkv', 'mp4', 150_000, { clip: { start: 5, end: 12 } });
    expect(report.duration).toBeCloseTo(7, 0);
    expect(share).toBeLessThanOrEqual(1);
    expect(share).toBeGreaterThanOrEqual(0.9);
  });

  it('is used for the audio of a clip in which no video plays', async () => {
    const { share, codes } = await encodeWithin('one-frame.ts', 'mp4', 100_000, { clip: { start: 5, end: 14 } });
    expect(share).toBeGreaterThanOrEqual(0.9);
    expect(codes).toEqual(['stream_interrupted']);
  });

  it('is reached in sandboxed children, which may not rename files', async () => {
    const confined = createEngine({ directory: media.path, spares: 1 });
    try {
      const { share, codes } = await encodeWithin('quiet.mkv', 'mp4', 10_000_000, { video: tiny }, confined);
      expect(share).toBeGreaterThanOrEqual(0.9);
      expect(codes).toContain('size_padded');
    } finally {
      await confined.close();
    }
  });

  it('is not exceeded by a short source', async () => {
    const { share, codes } = await encodeWithin('av.mp4', 'mp4', 5_000_000);
    expect(share).toBeLessThanOrEqual(1);
    expect(codes).toEqual([]);
  });

  it('is refused beforehand if the source is too long for it', async () => {
    await expect(encodeWithin('quiet.mkv', 'mp4', 65_536, { audioBitrate: 320 })).rejects.toMatchObject({
      code: 'size_unreachable',
      message:
        'output.maxSize is 65 kB, but 8.0 s of this media need about 341 kB. Raise output.maxSize, or set clip to a shorter part.',
    });
  });

  it('is refused with the size that an MP4 source of this duration needs', async () => {
    await expect(encodeWithin('av.mp4', 'mp4', 65_536, { audioBitrate: 320 })).rejects.toMatchObject({
      code: 'size_unreachable',
      message: expect.stringMatching(/but 4\.0 s of this media need about 173 kB\./),
    });
  });

  it('is refused with the duration of a clip of a playlist', async () => {
    const segments = { first: 26, inAll: 100, seconds: [4] };
    const part = { path: media.file('av.ts'), duration: 4, excerptStart: 100, segments };
    const clip = { start: 101, end: 103 };
    const options = { inputs: [part], ext: 'mp4', copyStreams: false, audioBitrate: 320 } as const;
    await expect(
      processAndVerify(engine, media, { ...options, clip, output: { maxSize: 65_536 } }),
    ).rejects.toMatchObject({ message: expect.stringContaining('but 2.0 s of this media need') });
  });

  it('is used if the duration of the source is unknown until it has been read', async () => {
    const { share, codes } = await encodeWithin('av.ts', 'mkv', 65_536);
    expect(share).toBeLessThanOrEqual(1);
    expect(share).toBeGreaterThanOrEqual(0.9);
    expect(codes).toEqual([]);
  });

  it.each<OutputContainer>(['wav', 'flac'])('is refused for a lossless %s file with more bytes', async (ext) => {
    await expect(encodeWithin('quiet.wav', ext, 70_000)).rejects.toMatchObject({ code: 'size_unreachable' });
  });
});
