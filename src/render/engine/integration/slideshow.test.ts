/** @module-tag long */

import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../engine.ts';
import type { SlideshowTask } from '../tasks/task.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { type ImageName, imageNames } from '../testing/media-names.ts';
import type { BrightnessRows } from '../testing/read-pictures.ts';
import { callMediaLibrary, type MediaDirectory, makeMedia } from '../testing/test-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia(...imageNames);
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

const { signal } = new AbortController();

/** Makes a video from images, reads it with the engine, and returns both reports. */
async function show(names: readonly string[], options: Partial<SlideshowTask> & { readonly ext?: string } = {}) {
  const { ext = 'mp4', ...others } = options;
  const path = media.file(`slides.${ext}`);
  const task = {
    directory: media.path,
    images: names.map((name, jobInput) => ({ path: media.file(name), jobInput })),
    output: { path, ext },
    secondsPerImage: 1,
    soundSeconds: 0,
    maxOutputBytes: 100_000_000,
    ...others,
  };
  const report = await engine.makeSlideshow(task, { signal });
  return { path, report, probe: await engine.probe({ directory: media.path, path, ext }, { signal }) };
}

/** Returns the brightness of the frames at the given times. */
async function brightnessAt(path: string, ...times: number[]): Promise<BrightnessRows[]> {
  return await callMediaLibrary(
    'readPictures',
    path,
    times.map((time) => [time, 'iw:ih']),
  );
}

/** Whether a frame is black at its left and right, but not in the middle. */
function hasSideBars(rows: BrightnessRows): boolean {
  const isBlack = (column: number) => rows.every((row) => (row[column] ?? 0) < 20);
  return isBlack(0) && isBlack(15) && !isBlack(8);
}

describe('a slideshow', () => {
  it.each<ImageName>(imageNames)('shows %s', async (name) => {
    const { path, report, probe } = await show([name]);
    expect(report).toMatchObject({ duration: 1, notes: [] });
    expect(probe).toMatchObject({ streams: [{ kind: 'video', codec: 'h264', stats: { packets: 25 } }] });
    const [rows = []] = await brightnessAt(path, 0.52);
    expect(Math.max(...rows.flat())).toBeGreaterThan(100);
  });

  it.each(['mp4', 'mov', 'mkv', 'webm', 'ts'])('can be a %s file', async (ext) => {
    const { report, probe } = await show(['wide.jpg', 'tall.png'], { ext });
    expect(report.duration).toBe(2);
    expect(probe.duration).toBeCloseTo(2, 1);
  });

  it('shows each image in order, with black bars, and repeats them until the sound ends', async () => {
    const { path, probe } = await show(['wide.jpg', 'tall.png'], { soundSeconds: 4.5 });
    expect(probe.duration).toBeCloseTo(4.52, 2);
    const frames = await brightnessAt(path, 0.52, 0.96, 1, 1.52, 2.52, 3.52, 4.4);
    expect(frames.map(hasSideBars)).toEqual([false, false, true, true, false, true, false]);
  });

  it.each([
    ['h264', 'mp4'],
    ['h265', 'mp4'],
    ['vp9', 'webm'],
    ['av1', 'mkv'],
  ] as const)('repeats %s video whose last round is incomplete in %s', async (codec, ext) => {
    const options = { ext, video: { codec }, soundSeconds: 7.3, secondsPerImage: 0.6 };
    const { path, probe } = await show(['wide.jpg', 'tall.png', 'wide.webp'], options);
    expect(probe).toMatchObject({ streams: [{ stats: { packets: 183 } }] });
    const frames = await brightnessAt(path, 0.92, 1.52, 2.72, 6.32, 6.92, 7.28);
    expect(frames.map(hasSideBars)).toEqual([true, false, true, true, false, false]);
  });

  it('is cropped and reduced', async () => {
    const video = { crop: { width: 9, height: 16 }, maxHeight: 90 };
    const { path } = await show(['wide.jpg'], { video });
    const bytes = readFileSync(path);
    const at = bytes.indexOf('avc1', bytes.indexOf('stsd'));
    expect([bytes.readUInt16BE(at + 28), bytes.readUInt16BE(at + 30)]).toEqual([52, 90]);
  });

  it('shows each image once if the sound is shorter', async () => {
    expect((await show(['wide.jpg', 'tall.png', 'wide.webp'], { soundSeconds: 0.5 })).report.duration).toBe(3);
  });

  it('has a key frame at each change of the image', async () => {
    const { path } = await show(['wide.jpg', 'tall.png', 'wide.webp'], { secondsPerImage: 0.6 });
    expect(keyFramesOf(path)).toEqual([1, 16, 31]);
  });

  it('turns images upright', async () => {
    writeFileSync(media.file('turned.jpg'), withOrientation(readFileSync(media.file('wide.jpg')), 6));
    const { path } = await show(['turned.jpg', 'wide.webp']);
    // Both images have the same area, so the first one, now 180 by 320, determines the size.
    const [turned = [], other = []] = await brightnessAt(path, 0.52, 1.52);
    const isBlack = (row: readonly number[] = []) => row.every((value) => value < 20);
    expect([isBlack(turned[0]), isBlack(other[0]), isBlack(other[8])]).toEqual([false, true, false]);
  });

  it('leaves out what is not a readable image, with a note for each', async () => {
    writeFileSync(media.file('list.jpg'), '#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1/a.ts\n');
    writeFileSync(media.file('concat.png'), `ffconcat version 1.0\nfile '${media.file('wide.jpg')}'\n`);
    writeFileSync(media.file('cut.png'), readFileSync(media.file('tall.png')).subarray(0, 40));
    writeFileSync(media.file('empty.jpg'), '');
    writeFileSync(media.file('bomb.png'), hugePng(60_000, 60_000));
    writeFileSync(media.file('phone.jpg'), Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'));
    const names = ['list.jpg', 'concat.png', 'wide.jpg', 'cut.png', 'empty.jpg', 'bomb.png', 'phone.jpg'];
    const { report } = await show(names);
    expect(report.duration).toBe(1);
    expect(report.notes.map(({ code, input }) => [code, input])).toEqual(
      [0, 1, 3, 4, 5, 6].map((input) => ['image_left_out', input]),
    );
    expect(report.notes.map(({ message }) => message)).toMatchObject({
      0: 'Input 1 is not in the slideshow, because it is not a JPEG, PNG, WebP, GIF or AVIF image.',
      4: 'Input 6 is not in the slideshow, because this PNG image is damaged, or has more than 64 megapixels.',
      5: 'Input 7 is not in the slideshow, because HEIC images cannot be read.',
    });
  });

  it('fails if no image can be read', async () => {
    writeFileSync(media.file('text.jpg'), 'This is not an image.');
    await expect(show(['text.jpg'])).rejects.toMatchObject({ code: 'input_unreadable', input: 0 });
  });
});

/** Inserts an EXIF orientation into a JPEG file (CIPA DC-008, tag 0x0112). */
function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  const exif = Buffer.from(
    `Exif\0\0II*\0\b\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0${String.fromCharCode(orientation)}\0\0\0\0\0\0\0`,
  );
  const marker = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), marker, exif, jpeg.subarray(2)]);
}

/** Returns the beginning of a PNG file that declares a size. */
function hugePng(width: number, height: number): Buffer {
  const header = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\0\x08\x02\0\0\0\0\0\0\0', 'latin1');
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return header;
}

/** Returns the numbers of the key frames of an MP4 file, from 1 (ISO/IEC 14496-12 §8.6.2). */
function keyFramesOf(path: string): number[] {
  const bytes = readFileSync(path);
  const at = bytes.indexOf('stss');
  return Array.from({ length: bytes.readUInt32BE(at + 8) }, (_, index) => bytes.readUInt32BE(at + 12 + 4 * index));
}
