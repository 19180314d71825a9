import { describe, expect, inject, test } from 'vitest';
import { describeJob, render, run } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { frameSize, inspect } from '../support/media.ts';

const service = inject('serviceUrl');

const source = (path: string) => ({ url: labFile(path).url, ext: path.split('.').at(-1) ?? '' });
const movie = source('/media/amber-12/movie-360.mp4');
const shortMovie = source('/media/amber-2/movie-360.mp4');
const sound = source('/media/birch-30/sound.m4a');
const image = (title: string) => source(`/media/${title}-12/still-360.jpg`);

/** Renders a file with encoding options. */
async function encode(input: { url: string; ext: string }, ext: string, options: object, output: object = {}) {
  const type = 'convert_format';
  const job = describeJob(type, [input], ext, {
    output: { ext, ...output },
    operation: { type, copyStreams: false, ...options },
  });
  const { event, file } = await render(service, job);
  return { file, notes: event.output?.notes ?? [] };
}

describe('audioBitrate', () => {
  test.each([
    ['mp3', 64],
    ['mp3', 192],
    ['m4a', 96],
    ['opus', 64],
  ])('sets the bit rate: %s with %i kbit/s', { tags: ['long'] }, async (ext, audioBitrate) => {
    const { file } = await encode(sound, ext, { audioBitrate });
    const { duration } = await inspect(file);
    const kilobits = (file.length * 8) / duration / 1000;
    // The tone of the lab is simple, so encoders with a variable bit rate may use less.
    expect(kilobits).toBeLessThan(audioBitrate * 1.15 + 4);
    if (ext === 'mp3') expect(kilobits).toBeGreaterThan(audioBitrate * 0.9);
  });
});

describe('video', () => {
  test.each([
    [{ maxHeight: 180 }, '320x180'],
    [{ maxHeight: 720 }, '640x360'],
    [{ crop: '9:16' }, '202x360'],
    [{ crop: '1:1', maxHeight: 240 }, '240x240'],
  ])('sets the size: %j', async (video, size) => {
    const { file } = await encode(shortMovie, 'mp4', { video });
    expect(await frameSize(file)).toBe(size);
  });

  test('limits the frame rate', async () => {
    const { file } = await encode(shortMovie, 'mp4', { video: { maxFps: 10 } });
    const { tracks } = await inspect(file);
    const video = tracks.find(({ kind }) => kind === 'video');
    expect(video?.packets).toBeGreaterThanOrEqual(19);
    expect(video?.packets).toBeLessThanOrEqual(21);
  });

  test.each([
    ['h264', 'mp4', 'avc'],
    ['h265', 'mp4', 'hevc'],
    ['vp9', 'webm', 'vp9'],
    ['av1', 'mp4', 'av1'],
  ])('sets the codec: %s in %s', { tags: ['long'] }, async (codec, ext, expected) => {
    const { file } = await encode(shortMovie, ext, { video: { codec, maxHeight: 144 } });
    const { tracks } = await inspect(file);
    expect(tracks.find(({ kind }) => kind === 'video')?.codec).toBe(expected);
  });
});

describe('maxSize', { tags: ['long'] }, () => {
  test.each([
    ['mp4', 500_000],
    ['mp4', 1_500_000],
    ['webm', 600_000],
    ['mp3', 200_000],
    ['mp3', 3_000_000],
    ['opus', 3_000_000],
  ])('is used by at least 90 percent and never exceeded: %s of %i bytes', async (ext, maxSize) => {
    const input = ext === 'mp3' || ext === 'opus' ? sound : movie;
    const { file } = await encode(input, ext, {}, { maxSize });
    expect(file.length).toBeLessThanOrEqual(maxSize);
    expect(file.length).toBeGreaterThanOrEqual(maxSize * 0.9);
    const { duration } = await inspect(file);
    expect(duration).toBeCloseTo(input === sound ? 30 : 12, 0);
  });

  test('that is too small is refused, with what is possible', async () => {
    const type = 'convert_format';
    const job = describeJob(type, [source('/media/amber-120/movie-360.mp4')], 'mp4', {
      output: { ext: 'mp4', maxSize: 100_000 },
      operation: { type, copyStreams: false },
    });
    const event = await run(service, job);
    expect(event).toMatchObject({
      status: 'failed',
      error_code: 'size_unreachable',
      retryable: false,
      error: expect.stringMatching(/\d (kB|KB|MB)/),
    });
  });
});

describe('loudness', () => {
  test('is stated in the tags of copied audio', async () => {
    const type = 'convert_format';
    const job = describeJob(type, [source('/media/birch-12/sound.mp3')], 'mp3', {
      operation: { type, copyStreams: true, loudness: -14 },
    });
    const { file } = await render(service, job);
    expect(file.toString('latin1')).toMatch(/replaygain_track_gain/i);
  });
});

describe('a slideshow', { tags: ['long'] }, () => {
  const images = ['amber', 'birch', 'coral'].map(image);
  const slideshow = (inputs: object[], operation: object = {}) => ({
    ...describeJob('slideshow', inputs as { url: string; ext: string }[], 'mp4'),
    operation: { type: 'slideshow', ...operation },
  });

  test('repeats the images until the audio ends', async () => {
    const { event, file } = await render(service, slideshow([...images, source('/media/birch-12/sound.m4a')]));
    expect(event.output?.notes).toEqual([]);
    const { tracks } = await inspect(file);
    expect(tracks.map(({ kind, codec }) => `${kind} ${codec}`).sort()).toEqual(['audio aac', 'video avc']);
    for (const { duration } of tracks) {
      expect(duration).toBeGreaterThan(11.5);
      expect(duration).toBeLessThan(12.5);
    }
    expect(await frameSize(file)).toBe('640x360');
  });

  test('without audio shows each image once', async () => {
    const { file } = await render(service, slideshow(images, { secondsPerImage: 2 }));
    const { duration, tracks } = await inspect(file);
    expect([tracks.length, Math.round(duration)]).toEqual([1, 6]);
  });

  test('leaves out an image that is not one, with a note', async () => {
    const broken = { url: labFile('/hostile/ffconcat.mp4').url, ext: 'jpg' };
    const { event } = await render(service, slideshow([...images, broken]));
    expect(event.output?.notes).toEqual([{ code: 'image_left_out', message: expect.any(String), input: 3 }]);
  });

  test('without any readable image fails', async () => {
    const broken = { url: labFile('/hostile/svg.mp4').url, ext: 'png' };
    expect(await run(service, slideshow([broken]))).toMatchObject({ status: 'failed', error_code: 'input_unreadable' });
  });
});
