import { describe, expect, inject, test } from 'vitest';
import { describeJob, post, render, run } from '../support/http-client.ts';
import { labFile, requestsWithToken } from '../support/lab-client.ts';
import { chaptersOf, inspect } from '../support/media.ts';
import { timesOf } from '../support/packets.ts';
import { picturesOf } from '../support/pictures.ts';

const service = inject('serviceUrl');
const labUrl = inject('labUrl');

const source = (path: string) => {
  const { url, token } = labFile(path);
  return { input: { url, ext: path.split('.').at(-1) ?? '' }, token };
};

/** Renders a clip of some files. */
async function clipOf(
  paths: readonly string[],
  clip: { start?: number; end?: number },
  { type = 'join_streams', ext = 'mp4', copyStreams = true, output = {} } = {},
) {
  const sources = paths.map(source);
  const inputs = sources.map(({ input }) => input);
  const job = {
    ...describeJob(type, inputs, ext, { clip }),
    output: { ext, ...output },
    operation: { type, copyStreams },
  };
  const { event, file } = await render(service, job);
  const requests = await Promise.all(sources.map(({ token }) => requestsWithToken(labUrl, token)));
  const bytes = requests.flat().reduce((sum, { bytesSent }) => sum + bytesSent, 0);
  return { file, bytes, notes: event.output?.notes ?? [] };
}

const sizeOf = async (path: string) =>
  Number((await fetch(`${labUrl}${path}`, { method: 'HEAD' })).headers.get('content-length'));

const movie = '/media/amber-120/movie-360.mp4';
const dash = ['/media/amber-120/video-360.mp4', '/media/birch-120/audio.mp4'];

const sourceFile = async (name: string) =>
  Buffer.from(await (await fetch(`${labUrl}/media/amber-24/${name}`)).arrayBuffer());

describe('a clip of copied streams', () => {
  test.each([
    ['DASH files', dash, 'mp4'],
    ['a progressive file', [movie], 'mp4'],
    ['a progressive file', [movie], 'mov'],
    ['WebM files', ['/media/amber-120/video-360.webm', '/media/birch-120/audio.webm'], 'mp4'],
    ['a playlist', ['/hls/amber-120/360/index.m3u8'], 'mp4'],
    ['a playlist of fragmented MP4', ['/hls/amber-120/360/fmp4.m3u8'], 'mp4'],
    ['a playlist with separate audio', ['/hls/amber-120/master-audio.m3u8'], 'mp4'],
    ['an encrypted playlist', ['/hls/amber-120/360/aes.m3u8'], 'mp4'],
  ] as const)(
    'of %s plays exactly the part, and only its bytes are downloaded: %j into %s',
    async (_name, paths, ext) => {
      const { file, bytes, notes } = await clipOf(paths, { start: 61.3, end: 71.8 }, { ext });
      expect(notes).toEqual([]);
      const { duration } = await inspect(file);
      expect(duration).toBeGreaterThan(10.3);
      expect(duration).toBeLessThan(10.7);
      const all = (await Promise.all(paths.filter((path) => !path.startsWith('/hls')).map(sizeOf))).reduce(
        (a, b) => a + b,
        0,
      );
      if (all > 0) expect(bytes).toBeLessThan(all * 0.3 + 400_000);
    },
  );

  test.each([
    ['mp4', 'short.m3u8', true],
    ['mkv', 'short.m3u8', true],
    ['ts', 'short.m3u8', true],
    ['mp4', 'fmp4-short.m3u8', true],
    ['mkv', 'fmp4-short.m3u8', true],
    ['mp4', 'short.m3u8', false],
    ['mp4', 'setup-once.m3u8', true],
    ['mkv', 'setup-once.m3u8', true],
    ['ts', 'setup-once.m3u8', true],
    ['mp4', 'setup-once.m3u8', false],
  ])(
    'has its whole picture in %s if the segments of %s do not suffice to begin decoding; copied: %s',
    { tags: ['long'] },
    async (ext, name, copyStreams) => {
      const clip = { start: 9.6, end: 13.2 };
      const { file, notes } = await clipOf([`/hls/amber-24/180/${name}`], clip, { ext, copyStreams });
      const begin = ext === 'mp4' ? 9600 : 8000;
      expect(notes.map(({ message }) => message)).toEqual(ext === 'mp4' ? [] : [expect.stringContaining('at 8.0 s')]);
      const [pictures, whole] = [await picturesOf(file), await picturesOf(await sourceFile('movie-180.mp4'))];
      const expected = whole.filter(({ time }) => time >= begin - 1 && time < 13_199);
      const first = pictures[0]?.time ?? 0;
      expect(pictures.map(({ time }) => time - first)).toEqual(expected.map(({ time }) => time - begin));
      if (copyStreams) expect(pictures.map(({ digest }) => digest)).toEqual(expected.map(({ digest }) => digest));
    },
  );

  test.each(['mkv', 'ts'])(
    'begins at the key frame before the start in %s, with a note that says where',
    { tags: ['long'] },
    async (ext) => {
      const { file, notes } = await clipOf(dash, { start: 61.3, end: 71.8 }, { ext });
      expect(notes).toEqual([{ code: 'clip_starts_at_key_frame', message: expect.stringMatching(/\d s/) }]);
      const [video] = await timesOf(file);
      expect(video?.keys[0]).toBe(0);
      const { duration } = await inspect(file);
      expect(duration).toBeGreaterThan(10.4);
      expect(duration).toBeLessThan(13);
    },
  );

  test('may have no start or no end', async () => {
    const [beginning, rest] = await Promise.all([clipOf([movie], { end: 4 }), clipOf([movie], { start: 115 })]);
    expect((await inspect(beginning.file)).duration).toBeCloseTo(4, 0);
    expect((await inspect(rest.file)).duration).toBeCloseTo(5, 0);
  });

  test('that ends after the media is shorter, with a note', async () => {
    const { file, notes } = await clipOf([movie], { start: 110, end: 500 });
    expect(notes).toEqual([{ code: 'clip_shortened', message: expect.stringContaining('120') }]);
    expect((await inspect(file)).duration).toBeCloseTo(10, 0);
  });

  test.each([
    ['m4a', '/media/birch-120/sound.m4a'],
    ['mp3', '/media/birch-120/sound.mp3'],
  ])('of audio is exact to a packet: %s', { tags: ['long'] }, async (ext, path) => {
    const { file } = await clipOf([path], { start: 30, end: 35 }, { type: 'extract_audio', ext });
    expect((await inspect(file)).duration).toBeCloseTo(5, 0);
  });

  test('of a file without an index downloads the whole file, with a note', { tags: ['long'] }, async () => {
    const { notes } = await clipOf(
      ['/media/birch-120/sound.mp3'],
      { start: 30, end: 35 },
      { type: 'extract_audio', ext: 'mp3' },
    );
    expect(notes.map(({ code }) => code)).toContain('clip_without_index');
  });

  test('keeps the chapters of the part', { tags: ['long'] }, async () => {
    const chapters = [0, 60, 65, 100].map((start) => ({ start, title: `at ${start}` }));
    const { file } = await clipOf(dash, { start: 61, end: 71 }, { output: { chapters } });
    expect(chaptersOf(file)).toEqual([
      [0, 'at 60'],
      [expect.closeTo(4, 0), 'at 65'],
    ]);
  });
});

describe('a clip of encoded streams', { tags: ['long'] }, () => {
  test.each(['mp4', 'mkv', 'webm'])('is exact to the frame: %s', async (ext) => {
    const { file, notes } = await clipOf(
      [movie],
      { start: 61.3, end: 63.3 },
      { type: 'convert_format', ext, copyStreams: false },
    );
    expect(notes).toEqual([]);
    const [video] = await timesOf(file);
    // 49 whole frames of 0.04 s, and half of the ones before and after them.
    expect(video?.times.length).toBe(51);
    expect((await inspect(file)).duration).toBeCloseTo(2, 1);
  });

  test.each([
    ['replace_audio_in_video', true],
    ['mix_audio_and_video', true],
    ['extract_video', false],
  ])('works for %s', async (type, copyStreams) => {
    const paths = type === 'extract_video' ? [movie] : [movie, '/media/birch-120/sound.m4a'];
    const { file } = await clipOf(paths, { start: 61.3, end: 66.3 }, { type, copyStreams });
    expect((await inspect(file)).duration).toBeCloseTo(5, 0);
  });
});

describe('a clip that is out of range', () => {
  test.each([dash, [movie], ['/hls/amber-120/360/index.m3u8'], ['/media/amber-120/movie-360.webm']])(
    'fails with the duration of the media: %s',
    async (...paths) => {
      const inputs = paths.map((path) => source(path).input);
      const event = await run(
        service,
        describeJob('join_streams', inputs, 'mp4', { clip: { start: 4000, end: 4010 } }),
      );
      expect(event).toMatchObject({
        status: 'failed',
        error_code: 'clip_out_of_range',
        retryable: false,
        error: expect.stringMatching(/(119|120)(\.\d+)? s/),
      });
    },
  );
});

describe('the preview of a clip', () => {
  test('states the bytes to be downloaded', async () => {
    const { input } = source('/media/amber-120/video-360.mp4');
    const body = describeJob('convert_format', [input], 'mp4', { clip: { start: 60, end: 70 } });
    const response = await post<{ inputs: { size: number; clipSize: number }[]; problems: unknown[] }>(
      `${service}/api/v1/render/execute?plan=only`,
      body,
    );
    expect(response.status).toBe(200);
    const [only] = response.body.inputs;
    expect(response.body.problems).toEqual([]);
    expect(only?.size).toBe(await sizeOf('/media/amber-120/video-360.mp4'));
    expect(only?.clipSize).toBeGreaterThan(10_000);
    expect(only?.clipSize).toBeLessThan((only?.size ?? 0) * 0.3);
  });
});

test('the limit of the input size counts the downloaded bytes', { tags: ['long'] }, async () => {
  const { input } = source(movie);
  const size = await sizeOf(movie);
  const limits = { inputSize: { total: Math.round(size / 2) } };
  const clip = { start: 61.3, end: 71.8 };
  const [whole, part] = await Promise.all([
    run(service, describeJob('convert_format', [input], 'mp4', { limits })),
    run(service, describeJob('convert_format', [input], 'mp4', { limits, clip })),
  ]);
  expect([whole.error_code, part.status]).toEqual(['input_too_large', 'done']);
});
