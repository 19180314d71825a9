import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boxesBetween } from './boxes.ts';
import { type MediaCache, openMediaCache } from './cache.ts';
import { hlsSegments, mediaFile, type Recipe } from './recipes.ts';
import { read } from './testing/reader.ts';
import { parseTitle, parseTrack, type Title, type Track } from './titles.ts';

let folder: string;
let cache: MediaCache;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lab-media-'));
  cache = await openMediaCache(folder);
});
afterAll(async () => {
  await cache.close();
  await rm(folder, { recursive: true });
});

function title(name: string): Title {
  const result = parseTitle(name);
  if (result === undefined) throw new Error(`There is no title ${name}.`);
  return result;
}

function track(name: string): Track {
  const result = parseTrack(name);
  if (result === undefined) throw new Error(`There is no track ${name}.`);
  return result;
}

function recipe(titleName: string, file: string): Recipe {
  const result = mediaFile(title(titleName), file);
  if (result === undefined) throw new Error(`There is no file ${file}.`);
  return result.recipe;
}

const video = (codec: string, width: number, height: number) => ({ kind: 'video', codec, width, height });
const audio = (codec: string) => ({ kind: 'audio', codec });

describe('a title of two seconds', () => {
  test.each([
    ['video-180.mp4', [video('h264', 320, 180)]],
    ['audio.mp4', [audio('aac')]],
    ['movie-180.mp4', [video('h264', 320, 180), audio('aac')]],
    ['video-180.webm', [video('vp9', 320, 180)]],
    ['audio.webm', [audio('opus')]],
    ['movie-180.webm', [video('vp9', 320, 180), audio('opus')]],
    ['text-180.mp4', [video('h264', 320, 180), audio('aac')]],
    ['subrip-180.mkv', [video('h264', 320, 180), audio('aac')]],
    ['vobsub-180.mkv', [video('h264', 320, 180), audio('aac')]],
    ['webvtt-180.mkv', [video('h264', 320, 180), audio('aac')]],
    ['webvtt-180.webm', [video('vp9', 320, 180), audio('opus')]],
    ['recorded-180.mp4', [video('h264', 320, 180), audio('aac')]],
    ['recorded-180.webm', [video('vp9', 320, 180), audio('opus')]],
    ['sound.m4a', [audio('aac')]],
    ['sound.aac', [audio('aac')]],
    ['sound.mp3', [audio('mp3')]],
  ])('decodes %s to its end', async (name, expected) => {
    const streams = await read(await cache.path(recipe('birch-2', name)));
    expect(streams).toMatchObject(expected);
    for (const stream of streams) {
      expect(stream.seconds).toBeGreaterThan(1.95);
      expect(stream.seconds).toBeLessThan(2.05);
      expect(stream.frames).toBeGreaterThan(stream.kind === 'video' ? 49 : 80);
    }
  });

  test.each([
    ['text-180.mp4', 'tx3g'],
    ['subrip-180.mkv', 'S_TEXT/UTF8'],
    ['vobsub-180.mkv', 'S_VOBSUB'],
    ['webvtt-180.mkv', 'D_WEBVTT/SUBTITLES'],
    ['webvtt-180.webm', 'D_WEBVTT/SUBTITLES'],
  ])('contains subtitles in %s (%s)', async (name, codec) => {
    const bytes = await readFile(await cache.path(recipe('birch-2', name)));
    expect(bytes.indexOf(codec)).toBeGreaterThan(0);
    if (name !== 'vobsub-180.mkv') expect(bytes.indexOf('Buongiorno')).toBeGreaterThan(0);
  });

  test('writes still-180.jpg as JPEG', async () => {
    const bytes = await readFile(await cache.path(recipe('birch-2', 'still-180.jpg')));
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    expect(bytes.subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]));
  });
});

test('a title longer than its encoded part has no seams', async () => {
  const streams = await read(await cache.path(recipe('birch-25', 'movie-180.mp4')));
  expect(streams).toMatchObject([
    { kind: 'video', frames: 625 },
    { kind: 'audio', frames: Math.round((25 * 48_000) / 1024) },
  ]);
  expect(streams.map(({ seconds }) => Math.round(seconds))).toEqual([25, 25]);
});

test('fragments-180.mp4 displays its frames in another order than it decodes them, 80 ms after its audio', async () => {
  const [video, audio] = await read(await cache.path(recipe('birch-2', 'fragments-180.mp4')));
  expect(audio?.start).toBe(0);
  expect(video?.pictures.map(({ time }) => time)).toEqual(Array.from({ length: 50 }, (_, at) => 80 + 40 * at));
  expect(new Set(video?.pictures.map(({ digest }) => digest)).size).toBe(50);
});

test('video-180p60.mp4 has sixty frames per second', async () => {
  const streams = await read(await cache.path(recipe('birch-2', 'video-180p60.mp4')));
  expect(streams).toMatchObject([{ frames: 120 }]);
});

test('DASH files begin with one index of all their fragments', async () => {
  const bytes = await readFile(await cache.path(recipe('birch-25', 'video-180.mp4')));
  const boxes = boxesBetween(bytes, 0, bytes.length).map(({ type }) => type);
  expect(boxes.slice(0, 4)).toEqual(['ftyp', 'moov', 'sidx', 'moof']);
  expect(boxes.filter((name) => name === 'sidx')).toHaveLength(1);
  const references = bytes.readUInt16BE(bytes.indexOf('sidx') + 4 + 4 + 8 + 16 + 2);
  expect(references).toBe(boxes.filter((name) => name === 'moof').length);
});

test('HLS segments start at keyframes and follow each other', async () => {
  const segments = await cache.path(hlsSegments(title('birch-10'), track('180')));
  expect((await readdir(segments)).filter((name) => name.endsWith('.ts'))).toEqual([
    'seg-00001.ts',
    'seg-00002.ts',
    'seg-00003.ts',
  ]);
  const streams = await read(path.join(segments, 'seg-00002.ts'));
  expect(streams).toMatchObject([{ codec: 'h264', frames: 100 }, { codec: 'aac' }]);
});

test('fragmented MP4 segments need their initialization segment, and tracks contain the streams they name', async () => {
  const whole = async (name: string) => {
    const segments = await cache.path(hlsSegments(title('birch-6'), track(name), 'fmp4'));
    const files = ['init.mp4', 'seg-00001.m4s', 'seg-00002.m4s'].map((file) => path.join(segments, file));
    const bytes = Buffer.concat(await Promise.all(files.map((file) => readFile(file))));
    expect(boxesBetween(bytes, 0, bytes.length).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['ftyp', 'moov', 'moof', 'mdat']),
    );
    await writeFile(path.join(folder, 'joined.mp4'), bytes);
    return read(path.join(folder, 'joined.mp4'));
  };
  expect(await whole('180')).toMatchObject([{ codec: 'h264', frames: 150 }, { codec: 'aac' }]);
  expect(await whole('video-180')).toMatchObject([{ codec: 'h264', frames: 150 }]);
  expect(await whole('audio')).toMatchObject([{ codec: 'aac', frames: 281 }]);
});

test('looks differ, and the same recipe produces the same bytes', async () => {
  const other = await openMediaCache(path.join(folder, 'other'));
  const bytes = async (from: MediaCache, name: string) => readFile(await from.path(recipe(name, 'movie-180.mp4')));
  const first = await bytes(cache, 'birch-2');
  expect(await bytes(other, 'birch-2')).toEqual(first);
  expect(await bytes(cache, 'coral-2')).not.toEqual(first);
  await other.close();
});
