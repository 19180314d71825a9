/** @module-tag long */

import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseJob } from '../../contract/parse-job.ts';
import { createEngine } from '../engine/create-engine.ts';
import type { Engine } from '../engine/engine.ts';
import { createInProcessEngine } from '../engine/testing/in-process-engine.ts';
import { describeMedia, type MediaDirectory, makeMedia } from '../engine/testing/test-media.ts';
import type { FetchedMedia } from './fetch-media.ts';
import { processMedia } from './process-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia(
    'wide.jpg',
    'tall.png',
    'wide.webp',
    'eight-a.ts',
    'a.mp3',
    'a.m4a',
    'a.opus',
    'av.mkv',
    'v.mp4',
  );
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

let jobs = 0;

interface Options {
  readonly by?: Engine;
  readonly job?: object;
  readonly additions?: FetchedMedia['additions'];
}

/** Makes a slideshow from files, whose extensions are those of the inputs. */
async function makeSlideshow(
  names: readonly string[],
  ext: string,
  operation: object = {},
  { by = engine, job: members = {}, additions }: Options = {},
) {
  jobs += 1;
  const directory = media.file(`job-${jobs}`);
  mkdirSync(directory);
  const job = parseJob({
    id: 'slides',
    inputs: names.map((name) => ({ url: `https://cdn.example/${name}`, ext: name.split('.').at(-1) })),
    output: { ext },
    operation: { type: 'slideshow', secondsPerImage: 1, ...operation },
    ...members,
  });
  const inputs = names.map((name) => {
    const path = media.file(name);
    return { files: [{ parts: [{ path }], bytes: statSync(path).size }] };
  });
  const fractions: number[] = [];
  const call = { signal: new AbortController().signal, onProgress: (done: number) => void fractions.push(done) };
  const file = await processMedia(
    job,
    { kind: 'whole', inputs, reason: 'a test', ...(additions && { additions }) },
    directory,
    by,
    call,
  );
  const { streams } = await describeMedia(file.path);
  const codecs = streams.map(({ kind, codec }) => `${kind} ${codec}`);
  return { file, streams, codecs, fractions, files: readdirSync(directory) };
}

const proofDuration = ({ proof }: { readonly proof: object }) => ('duration' in proof ? Number(proof.duration) : NaN);

describe('a slideshow job', () => {
  it.each([
    ['mp4', 'a.m4a', 'aac'],
    ['mov', 'a.mp3', 'mp3'],
    ['mkv', 'a.opus', 'opus'],
    ['webm', 'a.opus', 'opus'],
    ['ts', 'a.mp3', 'mp3'],
  ])('copies the sound into %s from %s', async (ext, sound, codec) => {
    const { file, codecs, files } = await makeSlideshow(['wide.jpg', 'tall.png', sound], ext);
    expect(codecs).toEqual([`video ${ext === 'webm' ? 'vp9' : 'h264'}`, `audio ${codec}`]);
    expect(proofDuration(file)).toBeCloseTo(4, 0);
    expect(files).toEqual([`result.${ext}`]);
  });

  it.each([
    ['webm', 'a.mp3', {}, 'opus'],
    ['mp4', 'a.mp3', { copyStreams: false }, 'aac'],
  ])('encodes the sound for %s from %s with %j', async (ext, sound, operation, codec) => {
    const { codecs, file } = await makeSlideshow([sound, 'wide.jpg'], ext, operation);
    expect(codecs[1]).toBe(`audio ${codec}`);
    expect(file.notes).toEqual([]);
  });

  it('uses only the sound of a video', async () => {
    const { codecs } = await makeSlideshow(['wide.jpg', 'av.mkv', 'tall.png'], 'mp4');
    expect(codecs).toEqual(['video h264', 'audio aac']);
  });

  it('shows each image once without sound', async () => {
    const { codecs, file, fractions } = await makeSlideshow(['wide.jpg', 'tall.png', 'wide.webp'], 'mp4');
    expect(codecs).toEqual(['video h264']);
    expect(proofDuration(file)).toBeCloseTo(3, 2);
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    expect(fractions.at(-1)).toBe(1);
  });

  it.each([
    ['mp4', ['wide.jpg', 'tall.png', 'a.m4a'], {}],
    ['mp4', ['wide.jpg', 'tall.png', 'a.m4a'], { copyStreams: false }],
    ['mkv', ['wide.jpg', 'tall.png', 'a.m4a'], {}],
    ['webm', ['wide.jpg', 'tall.png', 'a.m4a'], {}],
    ['mp4', ['wide.jpg', 'tall.png', 'wide.webp', 'wide.jpg'], {}],
    ['webm', ['wide.jpg', 'tall.png', 'wide.webp', 'wide.jpg'], {}],
  ])('has the duration of a clip: %s of %j with %j', async (ext, names, operation) => {
    const { file } = await makeSlideshow(names, ext, operation, { job: { clip: { start: 1, end: 3 } } });
    expect(file.notes).toEqual([]);
    expect(proofDuration(file)).toBeCloseTo(2, 0);
  });

  it('fits a clip into a size', async () => {
    const job = { clip: { start: 1, end: 3 }, output: { ext: 'mp4', maxSize: 100_000 } };
    for (const names of [['wide.jpg', 'tall.png', 'a.m4a'], Array.from({ length: 4 }, () => 'wide.jpg')]) {
      const { file } = await makeSlideshow(names, 'mp4', {}, { job });
      expect(file.bytes).toBeLessThanOrEqual(100_000);
      expect(proofDuration(file)).toBeCloseTo(2, 0);
    }
  });

  it('leaves out an unreadable image, with a note', async () => {
    writeFileSync(media.file('page.jpg'), '<!doctype html><title>Not found</title>');
    const { file } = await makeSlideshow(['a.m4a', 'page.jpg', 'wide.jpg'], 'mp4');
    expect(file.notes).toMatchObject([{ code: 'image_left_out', input: 1 }]);
  });

  it('fails with the number of a sound without audio', async () => {
    await expect(makeSlideshow(['wide.jpg', 'tall.png', 'v.mp4'], 'mp4')).rejects.toMatchObject({
      code: 'input_unreadable',
      message: expect.stringContaining('Input 3 has no audio stream'),
      input: 2,
    });
  });

  it.each([
    ['mp4', ['video h264', 'audio aac']],
    ['webm', ['video vp9', 'audio opus']],
  ])('fits a size in %s', async (ext, expected) => {
    const output = { ext, maxSize: 150_000 };
    const { file, codecs, files } = await makeSlideshow(
      ['wide.jpg', 'tall.png', 'eight-a.ts'],
      ext,
      {},
      { job: { output } },
    );
    expect(codecs).toEqual(expected);
    expect(file.bytes).toBeLessThanOrEqual(150_000);
    expect(file.bytes).toBeGreaterThanOrEqual(135_000);
    expect(files).toContain(`result.${ext}`);
  });

  it('plays only the requested part of the sound', async () => {
    const clip = { start: 2, end: 7 };
    const { file, codecs } = await makeSlideshow(['wide.jpg', 'tall.png', 'eight-a.ts'], 'mp4', {}, { job: { clip } });
    expect(codecs).toEqual(['video h264', 'audio aac']);
    expect(proofDuration(file)).toBeCloseTo(5, 0);
  });

  it('cuts added subtitles along with the sound', async () => {
    writeFileSync(media.file('words.srt'), '1\n00:00:03,000 --> 00:00:04,000\nHello\n');
    const subtitles = [{ path: media.file('words.srt'), addition: 0, format: 'srt', default: false }] as const;
    const additions = { subtitles, notes: [], bytes: 0 };
    const names = ['wide.jpg', 'eight-a.ts', 'tall.png'];
    const { codecs, streams } = await makeSlideshow(names, 'mp4', {}, { job: { clip: { start: 2 } }, additions });
    expect(codecs).toEqual(['video h264', 'audio aac', 'subtitle mov_text']);
    const shown = streams[2]?.cues.filter(([, bytes]) => bytes.includes('Hello'));
    expect(shown?.map(([seconds]) => Math.round(10 * seconds))).toEqual([10]);
  });

  it('fails if the requested part is after the end of the sound', async () => {
    const clip = { start: 60 };
    await expect(makeSlideshow(['wide.jpg', 'eight-a.ts'], 'mp4', {}, { job: { clip } })).rejects.toMatchObject({
      code: 'clip_out_of_range',
    });
  });

  it('is made in sandboxed children', async () => {
    const confined = createEngine({ directory: media.path, spares: 1 });
    try {
      const { codecs } = await makeSlideshow(
        ['wide.jpg', 'tall.png', 'wide.webp', 'a.m4a'],
        'mp4',
        {},
        { by: confined },
      );
      expect(codecs).toEqual(['video h264', 'audio aac']);
    } finally {
      await confined.close();
    }
  });
});
