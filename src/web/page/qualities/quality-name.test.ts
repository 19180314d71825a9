import { expect, test } from 'vitest';
import { qualityName } from './quality-name.ts';

const metadata = { mime_type: 'video/mp4', width: 0, height: 0, has_audio: true };

test.each([
  ['1080p', '1080p'],
  ['hls-720', '720p'],
  ['http-480', '480p'],
  ['720p60', '720p'],
  ['360p HDR', '360p'],
  ['native_hd', 'HD (original)'],
  ['native_sd', 'SD (original)'],
  ['native_creator', 'Original'],
  ['video', 'Video'],
  ['hls-audio', 'Audio'],
  ['soundtrack', 'Soundtrack'],
  ['audio 128kbps', 'Audio 128 kbit/s'],
  ['AAC 131 kbps', 'AAC 131 kbit/s'],
  ['Opus 171 kbps, English (US) original', 'Opus 171 kbit/s, English (US) original'],
  ['Title - Artist', 'Title - Artist'],
  ['hlsv3_mobile', 'Video'],
  ['constructor', 'Video'],
])('the label %s is shown as %s', (label, name) => {
  expect(qualityName({ label, metadata }).name).toBe(name);
});

test('smooth motion and a high dynamic range are stated beside the name', () => {
  expect(qualityName({ label: '1080p60 HDR', metadata })).toEqual({ name: '1080p', fps: 60, hdr: true });
  expect(qualityName({ label: '720p', metadata: { ...metadata, fps: 50 } })).toMatchObject({ fps: 50 });
  expect(qualityName({ label: '720p', metadata: { ...metadata, fps: 30 } })).not.toHaveProperty('fps');
});

test('a form that only programs know is named by its lines, and an audio format by its abbreviation', () => {
  expect(qualityName({ label: 'hlsv4', metadata: { ...metadata, width: 720, height: 1280 } }).name).toBe('720p');
  expect(qualityName({ label: 'mp3', metadata: { ...metadata, mime_type: 'audio/mpeg' } }).name).toBe('MP3');
});
