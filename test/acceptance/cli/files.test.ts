import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseBuffer } from 'music-metadata';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { read } from '../../../lab/media/testing/reader.ts';
import { inFolder, millrace } from '../../support/command-line.ts';
import { chaptersOf, inspect, jpegSize } from '../../support/media.ts';
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

describe('one command of get makes', { tags: ['long'] }, () => {
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

describe('get --quality', () => {
  test.each([
    ['<=720p', 'h264', 720],
    ['360p,vp9', 'vp9', 360],
    ['worst,>=360p,h264', 'h264', 360],
    ['bv*[height<=480][vcodec^=avc1]+ba[ext=m4a]/b', 'h264', 360],
  ])('%s selects a video in %s with a height of %i', async (quality, codec, height) => {
    const { path } = await get(video, '--format', quality, '--no-embed', '-o', 'film.mp4');
    const streams = await read(path);
    expect(streams).toContainEqual(expect.objectContaining({ kind: 'video', codec, height }));
    expect(streams).toContainEqual(expect.objectContaining({ kind: 'audio', codec: 'aac' }));
  });

  test.each([
    ['av1', 1, /No video matches av1\. Available: 1080p H\.264 25 fps/],
    ['1080p,vp9', 1, /No video matches 1080p,vp9\. Available: .*360p VP9/],
    ['137+140', 2, /Use a quality from --list/],
    ['b[ext=webm]', 2, /Videos are MP4 files/],
  ])('%s is refused with what exists', async (quality, code, message) => {
    const result = await millrace(['get', video, '--quality', quality], { env, cwd });
    expect([result.code, result.stderr]).toEqual([code, expect.stringMatching(message)]);
    expect(await readdir(cwd)).toEqual([]);
  });

  test('and --list prints a table of the qualities', async () => {
    const { code, stdout } = await millrace(['get', '-F', 'lab-dubbed1'], { env, cwd });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^KIND +QUALITY .*CODEC .*LANGUAGE +AUDIO\n/)]);
    expect(stdout).toMatch(/^audio +.*German +AAC +mp4 +[\d.]+ KB +de$/m);
    expect(await readdir(cwd)).toEqual([]);
  });
});

describe('the name of a file', () => {
  test('can be a template, whose fields create no folders', { tags: ['long'] }, async () => {
    const words = ['--quality', '144p', '-o', '%(extractor)s/{author}/%(id)s {quality} %(upload_date)s'];
    const { name } = await get(video, ...words);
    expect(name).toMatch(/^YouTube\/The Lab\/lab-plain30 144p \d{4}-\d{2}-\d{2}\.mp4$/);
    const refused = await millrace(['get', video, '-o', '{titel}.mp4'], { env, cwd });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/no field "titel"\. Use \{title\}/)]);
  });

  test.each([
    ['x.mp3', 'mp3'],
    ['x.opus', 'opus'],
    ['x.wav', 'pcm_s16le'],
  ])('%s makes an audio file in %s', { tags: ['long'] }, async (name, codec) => {
    const { path } = await get('lab-min-002', '-o', name, '--no-embed');
    expect(await read(path)).toEqual([expect.objectContaining({ kind: 'audio', codec })]);
  });

  test.each([
    [['-o', 'x.webm'], 1, /would be MP4, not WEBM\. Use --output x\.mp4/],
    [['-o', 'x.ogg'], 2, /does not make \.ogg files/],
    [['-o', 'x.mp3', '--quality', '720p'], 2, /x\.mp3 is an audio file/],
    [['-o', 'x.m4a', '--audio', 'mp3'], 2, /--audio mp3 does not make the file x\.m4a/],
    [['-o', 'x.png'], 1, /image is not available/],
  ])('%j is refused if the file would be another one', async (words, code, message) => {
    const result = await millrace(['get', 'lab-min-002', ...words], { env, cwd });
    expect([result.code, result.stderr]).toEqual([code, expect.stringMatching(message)]);
    expect(await readdir(cwd)).toEqual([]);
  });

  test('decides the format of -x without one, which copies the audio', async () => {
    const { name, path } = await get('lab-min-002', '-x', '--no-embed');
    const [audio] = await read(path);
    expect([name.split('.').at(-1), audio?.codec]).toEqual(['m4a', 'aac']);
  });
});

describe('get also', { tags: ['long'] }, () => {
  test('saves the metadata, the cover and a description for media servers', async () => {
    const words = ['--quality', '144p', '-o', 'film.mp4', '--nfo', '--write-info-json', '--write-thumbnail'];
    const { code, stdout } = await millrace(['get', video, ...words], { env, cwd });
    expect([code, stdout]).toEqual([0, 'film.mp4\nfilm.info.json\nfilm.jpg\nfilm.nfo\n']);
    const nfo = await readFile(join(cwd, 'film.nfo'), 'utf8');
    expect(nfo).toMatch(
      /^<\?xml [^<>]*\?>\n<movie>\n(?: {2}<(\w+)[^<>]*>[^<>&]*(?:&amp;[^<>&]*)*<\/\1>\n)+<\/movie>\n$/,
    );
    const names = ['title', 'plot', 'studio', 'premiered', 'runtime', 'thumb', 'uniqueid'];
    expect(Array.from(nfo.matchAll(/^ {2}<(\w+)/gm), ([, name]) => name)).toEqual(expect.arrayContaining(names));
    const info = JSON.parse(await readFile(join(cwd, 'film.info.json'), 'utf8'));
    expect(info).toMatchObject({ platform: 'YouTube', id: 'lab-plain30', quality: '144p' });
    expect(jpegSize(await readFile(join(cwd, 'film.jpg'))).width).toBeGreaterThan(100);
  });

  test('limits the speed of a download', async () => {
    const words = ['--quality', '360p', '-o', 'film.mp4'];
    const start = performance.now();
    const { file } = await get(video, ...words, '-r', '400k');
    const seconds = (performance.now() - start) / 1000;
    // A quarter of a second at full speed may pass first.
    expect(file.length / (seconds + 0.25)).toBeLessThan(400_000);
  });

  test('reads a config file, which the command line replaces', async () => {
    const withConfig = { env: { ...env, XDG_CONFIG_HOME: cwd }, cwd };
    await mkdir(join(cwd, 'millrace'));
    await writeFile(join(cwd, 'millrace', 'config'), '# defaults\n--quality 144p\n-o "{id} {quality}.{ext}"\n');
    const { code, stdout } = await millrace(['get', 'lab-plain30'], withConfig);
    expect([code, stdout]).toEqual([0, 'lab-plain30 144p.mp4\n']);
    expect((await millrace(['get', 'lab-plain30', '--quality', '360p'], withConfig)).stdout).toBe(
      'lab-plain30 360p.mp4\n',
    );
    const shown = await millrace(['get', '--show-config', '-x'], withConfig);
    expect(shown.stdout).toMatch(/^Config file: .*config\n--audio +original +command line\n--output .* line 3\n$/);
    await writeFile(join(cwd, 'millrace', 'config'), 'MILLRACE_KEY=secret\n');
    const refused = await millrace(['get', 'lab-plain30'], withConfig);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/config, line 1: keys do not belong here/),
    ]);
  });
});

describe('get', () => {
  test.each([
    ['m4a', 'aac'],
    ['opus', 'opus'],
    ['flac', 'flac'],
    ['wav', 'pcm_s16le'],
    ['original', 'aac'],
  ])('makes audio files with --audio %s', { tags: ['long'] }, async (format, codec) => {
    const { name, path } = await get('lab-min-002', '--audio', format, '--embed', 'none');
    expect(name).toMatch(format === 'original' ? /\.m4a$/ : new RegExp(`\\.${format}$`));
    expect(await read(path)).toEqual([expect.objectContaining({ kind: 'audio', codec })]);
  });

  test('makes audio with a bit rate', { tags: ['long'] }, async () => {
    const { file } = await get(video, '--audio', 'mp3', '--audio-bitrate', '96', '--embed', 'none');
    const { format, common } = await parseBuffer(file);
    expect(format.bitrate).toBeGreaterThan(86_000);
    expect(format.bitrate).toBeLessThan(106_000);
    expect(common.picture).toBeUndefined();
  });

  test('selects audio languages, and reports those that exist if one does not', { tags: ['long'] }, async () => {
    const { path } = await get('lab-dubbed1', '--quality', '360p', '--audio-language', 'de,en');
    expect((await read(path)).filter(({ kind }) => kind === 'audio')).toHaveLength(2);
    const words = ['get', 'lab-dubbed1', '--quality', '360p', '--audio-language', 'it'];
    const { code, stderr } = await millrace(words, { env, cwd });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/\bit\b.*\bde\b/)]);
  });

  test('saves subtitles as files, cut along with the clip, and reports missing languages', {
    tags: ['long'],
  }, async () => {
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

  test('names the opus file of the original audio .opus', { tags: ['long'] }, async () => {
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
    [['--quality', 'h264', '--max-size', '8MB'], 2, /A codec in --quality cannot be combined with --max-size/],
    [['--max-size', '1kB'], 2, /--max-size must be from/],
    [['--slideshow'], 1, /no images/],
  ])('refuses %j', async (words, code, message) => {
    const result = await millrace(['get', video, ...words], { env, cwd });
    expect([result.code, result.stderr]).toEqual([code, expect.stringMatching(message)]);
    expect(await readdir(cwd)).toEqual([]);
  });

  test('refuses an option that does not apply to the link', async () => {
    const reel = 'https://www.instagram.com/p/lab-reel-30/';
    const { code, stderr } = await millrace(['get', reel, '--write-subtitles', 'srt'], { env, cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--write-subtitles is only available for YouTube')]);
  });

  test('makes audio files of the items with sound of a post, and leaves out its images', {
    tags: ['long'],
  }, async () => {
    const pin = 'https://www.pinterest.com/pin/600000000000000105/';
    const options = ['--audio', 'mp3', '--clip', '0-1', '--embed', 'none', '--output', 'pin/'];
    const { code, stdout, stderr } = await millrace(['get', pin, ...options], { env, cwd });
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect(stdout.trim().split('\n')).toEqual([expect.stringMatching(/\.mp3$/), expect.stringMatching(/\.mp3$/)]);
  });
});
