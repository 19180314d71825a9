import { expect, test } from 'vitest';
import { codecsText } from '#client/codec-text.ts';
import { compatibilityOf, containerText, isPlaylist } from './codecs.ts';

test('codecs and containers have their common names', () => {
  const metadata = (mime_type: string, more = {}) => ({ mime_type, width: 0, height: 0, has_audio: true, ...more });
  expect(codecsText(metadata('video/mp4; codecs="avc1.640028, mp4a.40.2"'))).toBe('H.264 + AAC');
  expect(codecsText(metadata('video/mp4', { codecs: 'hvc1.1.6' }))).toBe('H.265');
  expect(codecsText(metadata('video/mp4', { codec: 'bytevc1' }))).toBe('H.265');
  expect(codecsText(metadata('audio/mpeg', { codecs: 'mp4a.40.34' }))).toBe('MP3');
  expect(codecsText(metadata('video/mp4'))).toBe('');
  expect(codecsText(metadata('video/mp4', { codecs: 'new1.2' }))).toBe('new1.2');
  expect(
    ['video/mp4', 'audio/mp4; codecs="x"', 'image/jpeg', 'video/x-flv'].map((type) => containerText(metadata(type))),
  ).toEqual(['MP4', 'M4A', 'JPEG', 'X-FLV']);
  expect(isPlaylist(metadata('application/vnd.apple.mpegurl'))).toBe(true);
});

test('common codecs play everywhere, and others on newer devices', () => {
  const verdict = ([container, codec]: readonly [string, string]) => compatibilityOf(container, codec);
  const common = [
    ['MP4', 'H.264'],
    ['MP4', 'H.264 + AAC'],
    ['M4A', 'AAC'],
    ['MP3', 'MP3'],
  ] as const;
  const newer = [
    ['MP4', 'AV1'],
    ['WebM', 'VP9'],
    ['MP4', 'H.265 + AAC'],
    ['WebM', 'Opus'],
  ] as const;
  expect(new Set(common.map(verdict))).toEqual(new Set(['everywhere']));
  expect(new Set(newer.map(verdict))).toEqual(new Set(['newer']));
  expect([compatibilityOf('MP4', ''), compatibilityOf('MP4', 'new1')]).toEqual([undefined, undefined]);
});
