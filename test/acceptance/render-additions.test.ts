import { parseBuffer } from 'music-metadata';
import { describe, expect, inject, test } from 'vitest';
import { describeJob, render, run } from '../support/http-client.ts';
import { labFile, requestsWithToken } from '../support/lab-client.ts';
import { cuesOf } from '../support/matroska.ts';
import { chaptersOf } from '../support/media.ts';

const service = inject('serviceUrl');
const labUrl = inject('labUrl');

const source = (path: string) => ({ url: labFile(path).url, ext: path.split('.').at(-1) ?? '' });
const dash = [source('/media/amber-12/video-360.mp4'), source('/media/birch-12/audio.mp4')];
const dashWebm = [source('/media/amber-12/video-360.webm'), source('/media/birch-12/audio.webm')];
const sound = source('/media/birch-12/sound.m4a');

const hebrew = '\u200fשלום';
const metadata = {
  title: `Title = "1" ${hebrew} 🎬`,
  artist: 'An artist',
  album: 'An album',
  albumArtist: 'All artists',
  date: '2026-11-26',
  description: 'First line\nSecond line',
  comment: 'A comment',
  url: 'https://site.example/watch?v=1&a=2',
  genre: 'Folk',
  track: '3/12',
};

const outputs = [
  ['mp4', 'join_streams', true],
  ['mov', 'join_streams', true],
  ['mkv', 'join_streams', true],
  ['webm', 'join_streams', true],
  ['m4a', 'extract_audio', true],
  ['mp3', 'extract_audio', false],
  ['ogg', 'extract_audio', false],
  ['opus', 'extract_audio', false],
  ['flac', 'extract_audio', false],
] as const;

const srt = '1\n00:00:01,000 --> 00:00:02,000\nHello & <b>world</b>\n\n2\n00:00:03,000 --> 00:00:05,500\nשלום\n';
const vtt = 'WEBVTT\n\n00:01.000 --> 00:02.000 align:start\n<v Ann>Guten Tag\n';
const json3 = JSON.stringify({ events: [{ tStartMs: 1000, dDurationMs: 1500, segs: [{ utf8: 'Bonjour' }] }] });
const subtitles = [
  { content: srt, format: 'srt', language: 'en', title: 'English', default: true },
  { content: vtt, format: 'vtt', language: 'de' },
  { content: json3, format: 'json3', language: 'fr' },
];

const chapters = [
  { start: 0, title: 'Erstes' },
  { start: 5.5, title: hebrew },
];

const cover = () => labFile('/media/amber-12/still-360.jpg');

const withCover = ['mp4', 'm4a', 'mp3', 'flac', 'ogg', 'opus', 'mkv'];
const withSubtitles = [
  ['mp4', 'tx3g'],
  ['mov', 'text'],
  ['mkv', 'S_TEXT/UTF8'],
  ['webm', 'D_WEBVTT'],
] as const;

/** Renders a file with additions. */
async function renderWith(output: Record<string, unknown>, ext: string, type = 'join_streams', copyStreams = true) {
  const inputs = type !== 'join_streams' ? [sound] : ext === 'webm' ? dashWebm : dash;
  const job = { ...describeJob(type, inputs, ext), output: { ext, ...output }, operation: { type, copyStreams } };
  const { event, file } = await render(service, job);
  return { file, notes: event.output?.notes ?? [] };
}

const completeFiles = new Map<string, ReturnType<typeof renderWith>>();

/**
 * Returns the file that has all additions that its container can store, and its notes, except those on converted
 * subtitles. The tests of one container share the file.
 */
async function renderAll(ext: string) {
  const [, type, copyStreams] = outputs.find(([each]) => each === ext) ?? [];
  const additions = {
    metadata,
    chapters,
    ...(withCover.includes(ext) ? { cover: { url: cover().url } } : {}),
    ...(withSubtitles.some(([each]) => each === ext) ? { subtitles } : {}),
  };
  const rendered = completeFiles.get(ext) ?? renderWith(additions, ext, type, copyStreams);
  completeFiles.set(ext, rendered);
  const { file, notes } = await rendered;
  return { file, notes: notes.filter(({ code }) => code !== 'subtitle_converted') };
}

describe('tags', () => {
  test.each(outputs)('are in a result that an independent reader reads: %s', { tags: ['long'] }, async (ext) => {
    const { file, notes } = await renderAll(ext);
    expect(notes).toEqual([]);
    const { common } = await parseBuffer(file);
    expect(common).toMatchObject({ title: metadata.title, artist: metadata.artist });
    if (ext === 'mkv' || ext === 'webm') {
      // The reader looks for these tags elsewhere in Matroska files than players do.
      const { album, albumArtist, date, genre, track } = metadata;
      for (const value of [album, albumArtist, date, genre, track]) expect(file.includes(value)).toBe(true);
    } else {
      expect(common).toMatchObject({ album: metadata.album, genre: ['Folk'], track: { no: 3 } });
      expect(common.albumartist ?? common.artists?.[0]).toBeDefined();
      expect(`${common.date ?? common.year}`).toContain('2026');
    }
    expect(file.includes('Second line')).toBe(true);
  });

  test('lose control characters and direction overrides', async () => {
    const { file } = await renderWith({ metadata: { title: 'a\u0000b\u001b[31m\u202ec' } }, 'mp4');
    const { common } = await parseBuffer(file);
    expect(common.title).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(common.title).toMatch(/^a.?b.*c$/);
  });

  test('that the container cannot store are noted', async () => {
    const { notes } = await renderWith({ metadata }, 'ts');
    expect(notes.map(({ code }) => code)).toContain('metadata_left_out');
  });
});

describe('a cover', { tags: ['long'] }, () => {
  test.each(withCover)('is in the result: %s', async (ext) => {
    const original = Buffer.from(await (await fetch(`${labUrl}/media/amber-12/still-360.jpg`)).arrayBuffer());
    const { file, notes } = await renderAll(ext);
    expect(notes).toEqual([]);
    if (ext === 'mkv') expect(file.includes(original)).toBe(true);
    else expect(Buffer.from((await parseBuffer(file)).common.picture?.[0]?.data ?? []).equals(original)).toBe(true);
  });

  test.each([
    ['is not found', labFile('/media/amber-12/still-360.jpg', { status: 404 }).url],
    ['is a playlist', labFile('/hls/amber-12/master.m3u8').url],
    ['is a video', labFile('/media/amber-12/movie-360.mp4').url],
    ['has text in place of media', labFile('/hostile/ffconcat.mp4').url],
    ['is at a private address', 'http://127.0.0.1:1/a.jpg'],
    [
      'is redirected to a private address',
      labFile('/media/amber-12/still-360.jpg', { redirectTo: 'http://10.0.0.1/' }).url,
    ],
  ])('that %s is left out with a note', async (_name, url) => {
    const { notes } = await renderWith({ cover: { url } }, 'mp4');
    expect(notes).toEqual([{ code: 'cover_left_out', message: expect.stringMatching(/^.{20,}\.$/) }]);
  });

  test('is requested with its own headers only', async () => {
    const { url, token } = cover();
    const requestOptions = { headers: { referer: 'https://site.example/', cookie: 'a=b' } };
    await renderWith({ cover: { url, requestOptions } }, 'mp4');
    const [request] = await requestsWithToken(labUrl, token);
    expect(request?.headers).toMatchObject({ referer: 'https://site.example/', cookie: 'a=b' });
  });

  test('counts towards the limit of the input size', async () => {
    const job = describeJob('convert_format', [sound], 'm4a', {
      output: { ext: 'm4a', cover: { url: labFile('/media/amber-120/movie-1080.mp4').url } },
    });
    const { output } = await run(service, job);
    expect(output?.notes).toEqual([{ code: 'cover_left_out', message: expect.any(String) }]);
  });
});

describe('chapters', () => {
  test('replace those of the inputs', async () => {
    const { file, notes } = await renderAll('mp4');
    expect([notes, chaptersOf(file)]).toEqual([[], chapters.map(({ start, title }) => [start, title])]);
    const mp3 = describeJob('convert_format', [source('/media/birch-2/chapters.mp3')], 'mp3', {
      output: { ext: 'mp3', chapters: [{ start: 0, title: 'Only' }] },
    });
    const { file: changed, event } = await render(service, mp3);
    expect(event.output?.notes).toEqual([]);
    expect(changed.includes('Only')).toBe(true);
    expect(changed.toString('latin1').match(/CHAP/g)).toHaveLength(1);
  });

  test.each(outputs)('are stored in every container that has them: %s', { tags: ['long'] }, async (ext) => {
    const { file, notes } = await renderAll(ext);
    expect(notes).toEqual([]);
    expect(file.includes('Erstes')).toBe(true);
  });

  test('up to a thousand', async () => {
    const many = Array.from({ length: 1000 }, (_, at) => ({ start: at / 100, title: `Chapter ${at}` }));
    const { file } = await renderWith({ chapters: many }, 'mp4');
    expect(file.includes('Chapter 999')).toBe(true);
  });
});

describe('subtitles', () => {
  test.each(withSubtitles)('become soft tracks: %s', async (ext, codec) => {
    const { file, notes } = await renderAll(ext);
    expect(notes).toEqual([]);
    for (const text of ['Hello', 'Guten Tag', 'Bonjour', codec]) expect(file.includes(text)).toBe(true);
  });

  test('are cut along with a clip', async () => {
    const job = describeJob('join_streams', dash, 'mkv', {
      output: { ext: 'mkv', subtitles: [{ content: srt, format: 'srt' }] },
      clip: { start: 2.5, end: 6 },
    });
    const { file } = await render(service, job);
    expect([file.includes('Hello'), file.includes('שלום')]).toEqual([false, true]);
  });

  test.each(['an addition', 'an input'])('of HLS segments are placed by their timestamp maps, as %s', async (way) => {
    const segments = source('/unusual/segments.vtt');
    const job =
      way === 'an input'
        ? describeJob('join_streams', [...dash, segments], 'mkv')
        : describeJob('join_streams', dash, 'mkv', {
            output: { ext: 'mkv', subtitles: [{ url: segments.url, format: 'vtt' }] },
          });
    const { file } = await render(service, job);
    expect(cuesOf(file)).toEqual([
      [1000, 2000, 'First'],
      [5500, 6500, 'Second'],
      [8250, 9250, 'Third'],
    ]);
  });

  test.each([
    ['cannot be parsed', { content: 'nothing', format: 'json3' }],
    ['are not found', { url: labFile('/media/amber-12/still-360.jpg', { status: 404 }).url, format: 'vtt' }],
    ['are too large', { url: labFile('/media/amber-120/movie-1080.mp4').url, format: 'srt' }],
    ['are an image', { url: labFile('/media/amber-12/still-360.jpg').url, format: 'srt' }],
  ])('that %s are left out with a note', async (_name, one) => {
    const { notes } = await renderWith({ subtitles: [one] }, 'mp4');
    expect(notes).toEqual([{ code: 'subtitles_left_out', message: expect.stringMatching(/^.{20,}\.$/) }]);
  });

  test('that the container cannot store are left out with a note', async () => {
    const { notes } = await renderWith({ subtitles: subtitles.slice(0, 1) }, 'm4a', 'extract_audio');
    expect(notes.map(({ code }) => code)).toEqual(['subtitles_left_out']);
  });
});
