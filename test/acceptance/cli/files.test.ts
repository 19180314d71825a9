import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseBuffer } from 'music-metadata';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { read } from '../../../lab/media/testing/reader.ts';
import { inFolder, millrace } from '../../support/command-line.ts';
import { chaptersOf, inspect } from '../../support/media.ts';
import { keys, temporaryFolder } from '../../support/processes.ts';

const env = { MILLRACE_URL: inject('serviceUrl'), MILLRACE_KEY: keys.MEGA, MILLRACE_RENDER_KEY: keys.render };
const video = 'https://www.youtube.com/watch?v=lab-plain30';
const longVideo = 'https://www.youtube.com/watch?v=lab-hd-2min';
const photos = 'https://www.tiktok.com/@thelab/photo/7559142440960000003';
let cwd: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ path: cwd, delete: remove } = await temporaryFolder());
});

afterEach(() => remove());

/** Runs `millrace get`, which must succeed without a note. Returns its first file and the text on standard error. */
async function get(...words: readonly string[]) {
  const { code, stdout, stderr } = await millrace(['get', ...words], { env, cwd });
  expect([code, stderr]).toEqual([0, expect.stringMatching(/Saved [\d.]+ [KM]B as\n$/)]);
  const [name = ''] = stdout.split('\n');
  const path = inFolder(cwd, name);
  return { name, path, file: await readFile(path) };
}

describe('one command of get makes', () => {
  test('an MP3 file with title, artist and cover', async () => {
    const { name, path, file } = await get(video, '--audio', 'mp3');
    expect(name).toMatch(/\.mp3$/);
    const { common, format } = await parseBuffer(file);
    expect(format).toMatchObject({ container: 'MPEG', codec: 'MPEG 1 Layer 3' });
    expect(common).toMatchObject({ title: expect.stringMatching(/\S/), artist: expect.stringMatching(/\S/) });
    expect(common.picture).toEqual([expect.objectContaining({ format: 'image/jpeg' })]);
    const [audio] = (await read(path)).filter(({ kind }) => kind === 'audio');
    expect(audio).toMatchObject({ codec: 'mp3', seconds: expect.closeTo(30, 0) });
  });

  test('a 30-second clip in 1080p with subtitles and the chapters of its part', async () => {
    const words = ['--quality', '1080p', '--clip', '0:30-1:00', '--subtitles', 'en,de'];
    const { path, file } = await get(longVideo, ...words);
    const [video, sound] = await read(path);
    expect(video).toMatchObject({ kind: 'video', width: 1920, height: 1080 });
    expect(sound).toMatchObject({ kind: 'audio', codec: 'aac' });
    const { duration } = await inspect(file);
    expect(duration).toBeGreaterThan(29.5);
    expect(duration).toBeLessThan(30.5);
    expect(chaptersOf(file)).toEqual([
      [0, 'Start'],
      [expect.closeTo(10, 1), 'Middle'],
    ]);
    expect(file.toString('latin1').match(/tx3g/g)).toHaveLength(2);
    expect((await parseBuffer(file)).common.title).toMatch(/\S/);
  });

  test('a video from the photos of a post and its music', async () => {
    const { name, path, file } = await get(photos, '--slideshow');
    expect(name).toMatch(/\.mp4$/);
    const streams = await read(path);
    expect(streams.map(({ kind }) => kind).toSorted()).toEqual(['audio', 'video']);
    const { tracks } = await inspect(file);
    const [first = 0, second = 0] = tracks.map(({ duration }) => duration);
    expect(Math.abs(first - second)).toBeLessThan(0.5);
  });

  test('a video below a size', async () => {
    const { path, file } = await get(video, '--quality', '360p', '--max-size', '600kB');
    expect(file.length).toBeLessThanOrEqual(600_000);
    expect(file.length).toBeGreaterThan(540_000);
    expect((await read(path)).map(({ kind }) => kind).toSorted()).toEqual(['audio', 'video']);
    expect((await inspect(file)).duration).toBeCloseTo(30, 0);
  });

  test('a copy of a video that is smaller than its maximum size', async () => {
    const { file } = await get(video, '--quality', '720p', '--max-size', '8MB', '--embed', 'none');
    const { file: copy } = await get(video, '--quality', '720p', '--embed', 'none', '--force');
    expect(file.length).toBe(copy.length);
  });
});

describe('get', () => {
  test.each([
    ['m4a', 'aac'],
    ['opus', 'opus'],
    ['flac', 'flac'],
    ['wav', 'pcm_s16le'],
    ['original', 'aac'],
  ])('makes audio files with --audio %s', async (format, codec) => {
    const { name, path } = await get('lab-min-002', '--audio', format, '--embed', 'none');
    expect(name).toMatch(format === 'original' ? /\.m4a$/ : new RegExp(`\\.${format}$`));
    expect(await read(path)).toEqual([expect.objectContaining({ kind: 'audio', codec })]);
  });

  test('makes audio with a bit rate', async () => {
    const { file } = await get(video, '--audio', 'mp3', '--audio-bitrate', '96', '--embed', 'none');
    const { format, common } = await parseBuffer(file);
    expect(format.bitrate).toBeGreaterThan(86_000);
    expect(format.bitrate).toBeLessThan(106_000);
    expect(common.picture).toBeUndefined();
  });

  test('selects audio languages, and reports those that exist if one does not', async () => {
    const { path } = await get('lab-dubbed1', '--quality', '360p', '--audio-language', 'de,en');
    expect((await read(path)).filter(({ kind }) => kind === 'audio')).toHaveLength(2);
    const words = ['get', 'lab-dubbed1', '--quality', '360p', '--audio-language', 'it'];
    const { code, stderr } = await millrace(words, { env, cwd });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/\bit\b.*\bde\b/)]);
  });

  test('saves subtitles as files, cut along with the clip, and reports missing languages', async () => {
    const words = ['--quality', '360p', '--clip', '10-14', '--subtitles', 'de,it', '--embed', 'none'];
    const { stderr, stdout, code } = await millrace(
      ['get', video, ...words, '--write-subtitles', 'srt', '-o', 'film.mp4'],
      { env, cwd },
    );
    expect([code, stdout]).toEqual([0, 'film.mp4\nfilm.de.srt\n']);
    expect(stderr).toContain('Subtitles are missing: The video has no transcript in "it".');
    expect((await readdir(cwd)).toSorted()).toEqual(['film.de.srt', 'film.mp4']);
    const text = await readFile(join(cwd, 'film.de.srt'), 'utf8');
    expect(text.match(/-->/g)).toHaveLength(2);
    expect(text).toMatch(/^1\n00:00:00,000 --> 00:00:02,000\n\S/);
  });

  test('names the opus file of the original audio .opus', async () => {
    const { name } = await get(video, '--audio', 'original', '--embed', 'none');
    expect(name).toMatch(/\.opus$/);
  });

  test('prints a note on subtitles that do not exist', async () => {
    const words = ['get', video, '--quality', '360p', '--clip', '0-2', '--subtitles', 'it'];
    const missing = 'Subtitles in it are not available; available: en, de, en (auto-generated).';
    const { code, stderr } = await millrace(words, { env, cwd });
    expect([code, stderr]).toEqual([0, expect.stringContaining(`Note: ${missing}\n`)]);
    const { stdout } = await millrace([...words, '--json', '--force'], { env, cwd });
    expect(JSON.parse(stdout)).toMatchObject({ notes: [missing] });
  });

  test.each([
    [['--audio', 'mp3', '--subtitles', 'en'], 2, /Audio files cannot contain subtitles/],
    [['--quality', 'audio', '--max-size', '8MB'], 2, /--max-size needs --audio mp3, m4a or opus/],
    [['--clip', '20-10'], 2, /clip/],
    [['--clip', 'soon'], 2, /clip/],
    [['--clip', '4000-'], 1, /30/],
    [['--audio', 'mp3', '--quality', '720p'], 2, /--audio cannot be combined with --quality/],
    [['--max-size', '1kB'], 2, /--max-size must be from/],
    [['--slideshow'], 1, /no images/],
  ])('refuses %j', async (words, code, message) => {
    const result = await millrace(['get', video, ...words], { env, cwd });
    expect([result.code, result.stderr]).toEqual([code, expect.stringMatching(message)]);
    expect(await readdir(cwd)).toEqual([]);
  });

  test('refuses an option that does not apply to the link', async () => {
    const channel = 'https://www.youtube.com/@thelab';
    const { code, stderr } = await millrace(['get', channel, '--clip', '1-2'], { env, cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--clip cannot be used with this link.')]);
  });

  test('makes audio files of the items with sound of a post, and leaves out its images', async () => {
    const pin = 'https://www.pinterest.com/pin/600000000000000105/';
    const options = ['--audio', 'mp3', '--clip', '0-1', '--embed', 'none', '--output', 'pin/'];
    const { code, stdout, stderr } = await millrace(['get', pin, ...options], { env, cwd });
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect(stdout.trim().split('\n')).toEqual([expect.stringMatching(/\.mp3$/), expect.stringMatching(/\.mp3$/)]);
  });
});
