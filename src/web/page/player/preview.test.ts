import { expect, test } from 'vitest';
import type { MediaItem } from '#client/index.ts';
import { previewOf } from './preview.ts';

const item = (label: string, mime_type: string, height: number, has_audio: boolean): MediaItem => ({
  label,
  url: `https://a.example/${label}`,
  repId: label,
  metadata: { mime_type, width: height, height, has_audio },
});

const silent = [
  item('1080p', 'video/mp4', 1080, false),
  item('720p', 'video/mp4', 720, false),
  item('360p', 'video/webm', 360, false),
];
const audio = item('aac', 'audio/mp4', 0, true);

test('a complete file is preferred', () => {
  const whole = item('whole', 'video/mp4', 360, true);
  expect(previewOf([{ videos: [...silent, whole], audios: [audio] }])).toEqual({
    kind: 'video',
    item: whole,
    silent: false,
  });
});

test('without a complete file, a video of the size of the preview is played without its sound', () => {
  expect(previewOf([{ videos: silent, audios: [audio] }])).toEqual({ kind: 'video', item: silent[1], silent: true });
  expect(previewOf([{ videos: silent.slice(0, 1) }])).toEqual({ kind: 'video', item: silent[0], silent: false });
});

test('audio is previewed alone, and a playlist is not previewed', () => {
  expect(previewOf([{ audios: [audio] }])).toEqual({ kind: 'audio', item: audio, silent: false });
  expect(previewOf([{ videos: [item('hls', 'application/vnd.apple.mpegurl', 720, true)] }])).toBeUndefined();
  expect(previewOf([])).toBeUndefined();
});
