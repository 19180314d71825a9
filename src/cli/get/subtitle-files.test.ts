import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseLink } from '../command-line/link-argument.ts';
import { checkSubtitleOption, checkSubtitlePaths, cutSubtitles, saveSubtitles } from './subtitle-files.ts';

const segments = [
  { startMs: 0, durationMs: 2000, text: 'one' },
  { startMs: 2000, durationMs: 2000, text: 'two' },
  { startMs: 4000, durationMs: 2000, text: 'three' },
];
const german = { language: 'de', segments };
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-subtitles-'));
});

afterEach(() => rm(folder, { recursive: true }));

describe('subtitle files', () => {
  test('are named after the media file and their language', async () => {
    const subtitles = [german, { language: '../x', segments }, { language: 'fr', error: 'None.' }];
    const target = { mediaPath: join(folder, 'My film.mp4'), format: 'txt', force: false };
    expect(await saveSubtitles(subtitles, target)).toEqual([
      { language: 'de', path: join(folder, 'My film.de.txt') },
      { language: '../x', path: join(folder, 'My film.___x.txt') },
      { language: 'fr', error: 'None.' },
    ]);
    expect((await readdir(folder)).toSorted()).toEqual(['My film.___x.txt', 'My film.de.txt']);
    expect(await readFile(join(folder, 'My film.de.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
  });

  test('are not overwritten without --force', async () => {
    const target = { mediaPath: join(folder, 'film.mp4'), format: 'srt', force: false };
    await saveSubtitles([german], target);
    await expect(checkSubtitlePaths([german], target)).rejects.toThrow('film.de.srt already exists');
    await checkSubtitlePaths([german], { ...target, force: true });
    expect(await readFile(join(folder, 'film.de.srt'), 'utf8')).toContain('00:00:02,000 --> 00:00:04,000\ntwo');
  });

  test('are cut to a clip, and count from its start', () => {
    const [cut] = cutSubtitles([german], { start: 1.5, end: 4 });
    expect(cut).toEqual({
      language: 'de',
      segments: [
        { startMs: 0, durationMs: 500, text: 'one' },
        { startMs: 500, durationMs: 2000, text: 'two' },
      ],
    });
    expect(cutSubtitles([german], { start: 5 })).toMatchObject([{ segments: [{ startMs: 0, durationMs: 1000 }] }]);
  });

  test('are available for videos of p1, as files', () => {
    const video = parseLink('https://www.youtube.com/watch?v=lab-plain30');
    expect(() => checkSubtitleOption(video, undefined)).not.toThrow();
    expect(() => checkSubtitleOption(video, '-')).toThrow('--write-subtitles needs a file.');
    expect(() => checkSubtitleOption(parseLink('https://www.dailymotion.com/video/xlab30'), undefined)).toThrow(
      '--write-subtitles is only available for YouTube (p1) videos.',
    );
  });
});
