import { describe, expect, inject, test } from 'vitest';
import { firstRows } from '../support/first-rows.ts';
import { describeJob, render, run } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { chaptersOf, inspect } from '../support/media.ts';

const service = inject('serviceUrl');

const source = (path: string) => ({ url: labFile(path).url, ext: path.split('.').at(-1) ?? '' });
const movie = source('/media/amber-2/movie-360.mp4');
const video = source('/media/amber-2/video-360.mp4');
const audio = source('/media/birch-2/audio.mp4');
const webm = source('/media/amber-2/movie-360.webm');
const m4a = source('/media/birch-2/sound.m4a');
const longSound = source('/media/birch-12/sound.m4a');
const mp3 = source('/media/birch-2/sound.mp3');
const playlist = source('/hls/amber-12/master.m3u8');

/** Returns the kinds and codecs of the tracks, in a fixed order. */
async function tracksOf(file: Buffer): Promise<string[]> {
  const { tracks } = await inspect(file);
  return tracks.map(({ kind, codec }) => `${kind} ${codec}`).sort();
}

describe('copies', () => {
  const cases: [
    operation: string,
    inputs: { url: string; ext: string }[],
    ext: string,
    tracks: string[],
    seconds: number,
  ][] = [
    ['join_streams', [video, audio], 'mp4', ['audio aac', 'video avc'], 2],
    ['join_streams', [video, audio], 'mkv', ['audio aac', 'video avc'], 2],
    ['join_streams', [movie], 'mp4', ['audio aac', 'video avc'], 2],
    ['convert_format', [movie], 'mkv', ['audio aac', 'video avc'], 2],
    ['convert_format', [webm], 'mp4', ['audio opus', 'video vp9'], 2],
    ['convert_format', [webm], 'webm', ['audio opus', 'video vp9'], 2],
    ['convert_format', [playlist], 'mp4', ['audio aac', 'video avc'], 12],
    ['convert_format', [m4a], 'm4a', ['audio aac'], 2],
    ['convert_format', [mp3], 'mp3', ['audio mp3'], 2],
    ['replace_audio_in_video', [movie, audio], 'mp4', ['audio aac', 'video avc'], 2],
    ['extract_audio', [movie], 'm4a', ['audio aac'], 2],
    ['extract_audio', [movie], 'mp4', ['audio aac'], 2],
    ['extract_audio', [playlist], 'm4a', ['audio aac'], 12],
    ['extract_audio', [webm], 'webm', ['audio opus'], 2],
    ['extract_audio', [mp3], 'mp3', ['audio mp3'], 2],
    ['extract_video', [movie], 'mp4', ['video avc'], 2],
    ['extract_video', [webm], 'webm', ['video vp9'], 2],
    ['mix_audio_and_video', [movie, audio], 'mp4', ['audio aac', 'video avc'], 2],
    ['mix_audio_and_video', [movie, m4a], 'mkv', ['audio aac', 'video avc'], 2],
    ['convert_format', [movie], 'mov', ['audio aac', 'video avc'], 2],
    ['join_streams', [video, m4a], 'mov', ['audio aac', 'video avc'], 2],
    ['convert_format', [movie], 'ts', ['audio aac', 'video avc'], 2],
    ['join_streams', [video, audio], 'ts', ['audio aac', 'video avc'], 2],
    ['convert_format', [playlist], 'ts', ['audio aac', 'video avc'], 12],
    ['extract_audio', [movie], 'aac', ['audio aac'], 2],
    ['extract_audio', [playlist], 'aac', ['audio aac'], 12],
    ['extract_audio', [webm], 'ogg', ['audio opus'], 2],
    ['extract_audio', [webm], 'opus', ['audio opus'], 2],
  ];
  const rows = cases.map(([operation, inputs, ext, tracks, seconds]) => ({ operation, inputs, ext, tracks, seconds }));
  // The first result of each operation, and the first in each container. The engine has tests of all codecs.
  const isFirst = (row: (typeof rows)[number]) =>
    rows.find(({ ext }) => ext === row.ext) === row ||
    rows.find(({ operation }) => operation === row.operation) === row;
  describe.each([
    ['each operation and container', rows.filter(isFirst), []],
    ['further codecs', rows.filter((row) => !isFirst(row)), ['long' as const]],
  ] as const)('of %s', (_name, selection, tags) => {
    test.each(selection)(
      '$operation into $ext: $tracks',
      { tags: [...tags] },
      async ({ operation, inputs, ext, tracks, seconds }) => {
        const { event, file } = await render(service, describeJob(operation, inputs, ext));
        expect(event.output?.size).toBe(file.length);
        expect(await tracksOf(file)).toEqual(tracks);
        for (const { duration } of (await inspect(file)).tracks) {
          expect(duration).toBeGreaterThan(seconds - 0.2);
          expect(duration).toBeLessThan(seconds + 0.3);
        }
      },
    );
  });

  test('keep every packet', async () => {
    const [before, after] = await Promise.all([
      fetchFromLab('/media/amber-30/movie-360.mp4'),
      render(service, describeJob('convert_format', [source('/media/amber-30/movie-360.mp4')], 'mp4')),
    ]);
    const count = async (file: Buffer) => (await inspect(file)).tracks.map(({ kind, packets }) => [kind, packets]);
    expect(await count(after.file)).toEqual(await count(before));
  });
});

describe('chapters', () => {
  test.each([
    ['copied into mp4', 'convert_format', 'mp4', true],
    ['re-encoded into m4a', 'extract_audio', 'm4a', false],
  ])('are kept in audio that is %s', async (_name, operation, ext, copyStreams) => {
    const job = describeJob(operation, [source('/media/amber-2/chapters.mp3')], ext);
    const { file } = await render(service, { ...job, operation: { ...job.operation, copyStreams } });
    // An MP3 decoder's first 0.025 or 0.05 s do not belong to the audio.
    expect(chaptersOf(file)).toEqual([
      [0, 'Opening'],
      [expect.closeTo(0.47, 1), 'The rest – 続き'],
    ]);
  });
});

describe('encoding with copyStreams false', { tags: ['long'] }, () => {
  const cases: [operation: string, inputs: { url: string; ext: string }[], ext: string, tracks: string[]][] = [
    ['convert_format', [webm], 'mp4', ['audio aac', 'video avc']],
    ['convert_format', [movie], 'webm', ['audio opus', 'video vp9']],
    ['convert_format', [movie], 'mkv', ['audio aac', 'video avc']],
    ['convert_format', [m4a], 'mp3', ['audio mp3']],
    ['join_streams', [video, audio], 'webm', ['audio opus', 'video vp9']],
    ['replace_audio_in_video', [webm, mp3], 'mp4', ['audio aac', 'video avc']],
    ['extract_audio', [movie], 'mp3', ['audio mp3']],
    ['extract_audio', [webm], 'm4a', ['audio aac']],
    ['extract_video', [webm], 'mp4', ['video avc']],
    ['mix_audio_and_video', [webm, mp3], 'webm', ['audio opus', 'video vp9']],
    ['convert_format', [webm], 'mov', ['audio aac', 'video avc']],
    ['join_streams', [webm], 'ts', ['audio aac', 'video avc']],
    ['extract_audio', [movie], 'wav', ['audio pcm-s16']],
    ['extract_audio', [movie], 'flac', ['audio flac']],
    ['convert_format', [mp3], 'ogg', ['audio vorbis']],
    ['convert_format', [m4a], 'opus', ['audio opus']],
    ['extract_audio', [webm], 'aac', ['audio aac']],
  ];
  test.each(cases.map(([operation, inputs, ext, tracks]) => ({ operation, inputs, ext, tracks })))(
    '$operation into $ext: $tracks',
    async ({ operation, inputs, ext, tracks }) => {
      const job = describeJob(operation, inputs, ext);
      const { file } = await render(service, { ...job, operation: { ...job.operation, copyStreams: false } });
      expect(await tracksOf(file)).toEqual(tracks);
      for (const { duration } of (await inspect(file)).tracks) expect(Math.abs(duration - 2)).toBeLessThan(0.3);
    },
  );
});

const durations = [
  ['longest', 'longer', [movie, longSound], { video: 2, audio: 12 }],
  ['shortest', 'longer', [movie, longSound], { video: 2, audio: 2 }],
  ['video', 'longer', [movie, longSound], { video: 2, audio: 2 }],
  ['shortest', 'shorter', [playlist, m4a], { video: 2, audio: 2 }],
  ['video', 'shorter', [playlist, m4a], { video: 12, audio: 2 }],
] as const;

for (const { rows, options } of firstRows(2, durations)) {
  test.each(rows)('a duration of %s with %s audio', options, async (duration, _length, inputs, seconds) => {
    const job = describeJob('replace_audio_in_video', inputs, 'mp4');
    const { file } = await render(service, { ...job, operation: { ...job.operation, duration } });
    const { tracks } = await inspect(file);
    expect(Object.fromEntries(tracks.map((track) => [track.kind, Math.round(track.duration)]))).toEqual(seconds);
  });
}

describe('an incompatible container fails and suggests alternatives', () => {
  test.each([
    ['h264 in webm', 'convert_format', movie, 'webm', /webm/i],
    ['opus in m4a', 'extract_audio', webm, 'm4a', /m4a/i],
    ['aac in mp3', 'extract_audio', movie, 'mp3', /mp3/i],
    ['video in m4a', 'convert_format', movie, 'm4a', /extract_audio/],
    ['vp9 in ts', 'convert_format', webm, 'ts', /mp4 or mkv/],
    ['opus in mov', 'extract_audio', webm, 'mov', /mp4 or mkv/],
    ['aac in wav', 'extract_audio', movie, 'wav', /m4a or aac/],
    ['aac in flac', 'extract_audio', movie, 'flac', /copyStreams to false/],
    ['mp3 in opus', 'convert_format', mp3, 'opus', /copyStreams to false/],
    ['video in ogg', 'join_streams', webm, 'ogg', /extract_audio/],
  ])('for %s', async (_name, operation, input, ext, hint) => {
    const event = await run(service, describeJob(operation, [input], ext));
    expect(event).toMatchObject({ status: 'failed', output: null });
    expect(event.error).toMatch(/incompatible codecs for the container/i);
    expect(event.error).toMatch(hint);
  });

  test.each([
    ['audio in a video', 'extract_audio', [video], 'm4a', /audio/],
    ['video in an audio file', 'extract_video', [m4a], 'mp4', /video/],
    ['audio in a second input', 'replace_audio_in_video', [movie, video], 'mp4', /audio/],
  ])('for missing %s', async (_name, operation, inputs, ext, reason) => {
    const event = await run(service, describeJob(operation, inputs, ext));
    expect(event).toMatchObject({ status: 'failed', error: expect.stringMatching(reason) });
  });
});

test('join_streams joins 64 inputs: a video and its audio in 63 languages', async () => {
  const letter = (number: number) => String.fromCharCode('a'.charCodeAt(0) + number);
  const languages = Array.from({ length: 63 }, (_, at) => letter(Math.floor(at / 20)) + letter(at % 20));
  const inputs = [video, ...languages.map((language) => ({ ...m4a, language }))];
  const { file } = await render(service, describeJob('join_streams', inputs, 'mp4'));
  expect(await tracksOf(file)).toEqual([...languages.map(() => 'audio aac'), 'video avc']);
});

describe('no_process', () => {
  test('stores a media file byte for byte', async () => {
    const path = '/media/amber-2/movie-360.mp4';
    const { file } = await render(service, describeJob('no_process', [source(path)], 'mp4'));
    expect(file.equals(await fetchFromLab(path))).toBe(true);
  });

  test('stores any other type too', async () => {
    const path = '/media/amber-2/still-360.jpg';
    const { file } = await render(service, describeJob('no_process', [source(path)], 'jpg'));
    expect(file.equals(await fetchFromLab(path))).toBe(true);
  });
});

async function fetchFromLab(path: string): Promise<Buffer> {
  const response = await fetch(`${inject('labUrl')}${path}`);
  if (!response.ok) throw new Error(`the lab returned ${response.status} for ${path}`);
  return Buffer.from(await response.arrayBuffer());
}
