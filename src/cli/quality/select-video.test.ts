import { describe, expect, test } from 'vitest';
import { codecsText } from '#client/codec-text.ts';
import type { MediaItem } from '../../contract/media-items.ts';
import { CommandError } from '../errors/command-errors.ts';
import { videoCodecOf } from './codec-names.ts';
import { parseQuality } from './parse-quality.ts';
import { selectVideo } from './select-video.ts';

function video(repId: string, label: string, codecs: string, more: Record<string, unknown> = {}): MediaItem {
  const height = Number(/\d{3,4}/.exec(label)?.[0] ?? 0);
  const metadata = { mime_type: `video/mp4; codecs="${codecs}"`, width: height * 2, height, has_audio: false, ...more };
  return { label, url: 'https://a.example/', repId, metadata };
}

const videos = [
  video('hdr', '1080p60 HDR', 'vp09.02.41.10', { fps: 60, is_hdr: true, content_length: 9_000_000 }),
  video('vp9', '1080p60', 'vp09.00.41.08', { fps: 60, content_length: 7_000_000 }),
  video('avc', '1080p60', 'avc1.64002a', { fps: 59.94, content_length: 8_000_000 }),
  video('av1-4k', '2160p', 'av01.0.12M.08', { fps: 30, content_length: 40_000_000 }),
  video('low', '360p', 'avc1.4d401e', { fps: 30, content_length: 1_000_000 }),
];
const audios = [
  {
    label: 'AAC',
    url: 'https://a.example/',
    repId: 'aac',
    metadata: { mime_type: 'audio/mp4', width: 0, height: 0, has_audio: true, content_length: 500_000 },
  },
];

function selected(text: string, content = { videos, audios }): string {
  const selector = parseQuality(text);
  if (selector.kind !== 'video') throw new Error(`${text} selects no video`);
  return selectVideo(content, selector.wishes, text).repId;
}

describe('selectVideo', () => {
  test.each([
    ['best', 'av1-4k'],
    ['worst', 'low'],
    ['<=1080p', 'avc'],
    ['<1080p', 'low'],
    ['>=720p,worst', 'avc'],
    ['1080p60,vp9', 'vp9'],
    ['vp9,sdr', 'vp9'],
    ['hdr', 'hdr'],
    ['60fps', 'avc'],
    ['h264', 'avc'],
    ['av1', 'av1-4k'],
    ['<8MB', 'vp9'],
    ['<=1.5MB', 'low'],
    ['b[height>2160]/b[height<=720]', 'low'],
    ['bv*[vcodec!^=av01]+ba/b', 'avc'],
  ])('selects with %s', (text, repId) => {
    expect(selected(text)).toBe(repId);
  });

  test('reports what exists if no video matches', () => {
    expect(() => selected('h265')).toThrow(CommandError);
    expect(() => selected('2160p,h264')).toThrow(
      'No video matches 2160p,h264. Available: 1080p60 HDR VP9 60 fps 9.50 MB; 1080p60 VP9 60 fps 7.50 MB; ' +
        '1080p60 H.264 60 fps 8.50 MB; 2160p AV1 30 fps 40.50 MB; 360p H.264 30 fps 1.50 MB.',
    );
  });

  test('does not select videos whose property is unknown, unless the expression allows it', () => {
    const content = { videos: [video('a', 'native_hd', '', { width: 1280, height: 720 })], audios: [] };
    expect(selected('720p,sdr', content)).toBe('a');
    for (const text of ['h264', '<50MB', '60fps'])
      expect(() => selected(text, content)).toThrow('Available: native_hd.');
    expect(selected('b[fps<=?30]', content)).toBe('a');
  });

  test('counts upright videos by their shorter side', () => {
    const content = { videos: [video('a', 'original', 'hvc1', { width: 1080, height: 1920 })], audios: [] };
    expect(selected('<=1080p,h265', content)).toBe('a');
  });
});

test('codecs have their common names', () => {
  const metadata = (mime_type: string, more = {}) => ({ mime_type, width: 0, height: 0, has_audio: true, ...more });
  expect(codecsText(metadata('video/mp4; codecs="avc1.640028, mp4a.40.2"'))).toBe('H.264 + AAC');
  expect(codecsText(metadata('video/mp4', { codec: 'bytevc1' }))).toBe('H.265');
  expect(codecsText(metadata('video/mp4', { codecs: 'new1.2' }))).toBe('new1.2');
  expect(codecsText(metadata('video/mp4'))).toBe('');
  expect(videoCodecOf(metadata('audio/mp4; codecs="mp4a.40.2"'))).toBeUndefined();
});
