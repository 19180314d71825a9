import { expect, test } from 'vitest';
import { codecsText, containerText, isPlaylist } from './codecs.ts';
import { bytesText, countText, durationText, spanText } from './format.ts';

test('figures are told as people read them', () => {
  expect([0, 999, 1_000, 1_440_000, 123_456_789, 3.5e9].map(bytesText)).toEqual([
    '0 B',
    '999 B',
    '1.0 kB',
    '1.4 MB',
    '123 MB',
    '3.5 GB',
  ]);
  expect([0, 59.6, 187, 3_750].map(durationText)).toEqual(['0:00', '1:00', '3:07', '1:02:30']);
  expect([0, 7.2, 60, 3_540, 3_600, 3_900].map((seconds) => spanText(seconds).replaceAll('\u00a0', ' '))).toEqual([
    '1 s',
    '8 s',
    '1 min',
    '59 min',
    '1 h',
    '1 h 5 min',
  ]);
  expect([999, 1_234_567].map(countText)).toEqual(['999', '1.2M']);
});

test('codecs and kinds of files are told by the names that people know', () => {
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
