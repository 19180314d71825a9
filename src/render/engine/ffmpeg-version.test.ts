import { ffmpegVersion as versionOfLibrary } from 'node-av/ffmpeg';
import { expect, test } from 'vitest';
import { ffmpegVersion } from './ffmpeg-version.ts';

test('the version of FFmpeg is that of the media library', () => {
  expect(versionOfLibrary()).toBe(ffmpegVersion);
});
