import { expect, test } from 'vitest';
import type { MediaItem, RenderableMediaItem } from '#client/index.ts';
import { qualitiesOf } from './qualities.ts';

const item = (label: string, mime_type: string, more: Record<string, unknown> = {}): MediaItem => ({
  label,
  url: `https://a.example/${label}`,
  repId: label,
  metadata: { mime_type, width: 0, height: Number.parseInt(label, 10) || 0, has_audio: false, ...more },
});
const renderConfig = {
  executionUrl: 'https://r.example/',
  statusUrl: 'wss://r.example/',
  sseStatusUrl: 'https://r.example/',
};
const ready = (label: string, content_length?: number): RenderableMediaItem => ({
  label,
  renderConfig,
  repId: label,
  metadata: {
    mime_type: 'video/mp4',
    width: 1,
    height: 1,
    has_audio: true,
    ...(content_length === undefined ? {} : { content_length }),
  },
});

test('each quality is listed once, largest first, with the codec that its render prefers', () => {
  const videos = [
    item('360p', 'video/mp4; codecs="avc1.4d401e"', { content_length: 5 }),
    item('1080p', 'video/webm; codecs="vp9"'),
    item('1080p', 'video/mp4; codecs="avc1.640028"'),
    item('720p', 'video/mp4; codecs="av01.0.05M.08"', { content_length: 50 }),
  ];
  const audios = [item('audio', 'audio/mp4; codecs="mp4a.40.2"', { content_length: 3 })];
  const qualities = qualitiesOf({ videos, audios, renderableVideos: [ready('1080p', 100)] }, () => true);
  expect(
    qualities.map(({ label, codec, bytes, exact, delivery }) => [label, codec, bytes, exact, delivery.by]),
  ).toEqual([
    ['1080p', 'H.264', 100, true, 'render'],
    ['720p', 'AV1', 53, false, 'request'],
    ['360p', 'H.264', 8, false, 'request'],
    ['audio', 'AAC', 3, true, 'link'],
  ]);
});

test('complete files are downloaded unchanged, and unavailable ones state the reason', () => {
  const videos = [item('720p', 'video/mp4', { has_audio: true, content_length: 9 }), item('480p', 'video/mp4')];
  const tooLarge = { label: '480p', error: 'Too large.' };
  const qualities = qualitiesOf({ videos, renderableVideos: [tooLarge] }, () => false);
  expect(qualities.map(({ label, bytes, hasAudio, delivery }) => [label, bytes, hasAudio, delivery])).toEqual([
    ['720p', 9, true, { by: 'link', item: videos[0] }],
    ['480p', undefined, false, { by: 'none', reason: 'Too large.' }],
  ]);
  expect(qualitiesOf({ videos: [item('480p', 'video/mp4')] }, () => false)).toMatchObject([
    { hasAudio: false, delivery: { by: 'link' } },
  ]);
});

const playlist = (label: string) => item(label, 'application/vnd.apple.mpegurl', { has_audio: true });

test('the same quality under several labels is one quality, delivered as a file', () => {
  const file = item('http-720', 'video/mp4', { has_audio: true });
  expect(qualitiesOf({ videos: [playlist('hls-720'), file] }, () => false)).toMatchObject([
    { name: '720p', label: 'http-720', delivery: { by: 'link', item: file } },
  ]);
  const rendered = qualitiesOf(
    { videos: [playlist('hls-720'), file], renderableVideos: [ready('hls-720')] },
    () => false,
  );
  expect(rendered).toMatchObject([{ name: '720p', label: 'hls-720', delivery: { by: 'render' } }]);
});

test('a playlist is listed only if there is nothing else, with the reason', () => {
  const videos = [playlist('hls-1080'), item('720p', 'video/mp4', { has_audio: true })];
  expect(qualitiesOf({ videos }, () => false).map(({ name }) => name)).toEqual(['720p']);
  expect(qualitiesOf({ videos: [playlist('hls-1080')] }, () => false)).toMatchObject([
    { delivery: { by: 'none', reason: 'This is a segmented stream and cannot be downloaded as a file.' } },
  ]);
});

test('nothing is requested that the service has refused for every quality', () => {
  const renderableVideos = [{ label: 'all_highres', error: 'A live stream has no end.' }];
  expect(qualitiesOf({ videos: [playlist('720p')], renderableVideos }, () => true)).toMatchObject([
    { delivery: { by: 'none', reason: 'A live stream has no end.' } },
  ]);
});

test('audio comes from a render if there is one, otherwise from the first file for each label', () => {
  const audios = [
    item('audio 128kbps', 'audio/mp4; codecs="mp4a.40.2"'),
    item('audio 128kbps', 'audio/webm; codecs="opus"'),
  ];
  expect(qualitiesOf({ audios }, () => true)).toMatchObject([
    { label: 'audio 128kbps', kind: 'audio', container: 'M4A', codec: 'AAC', hasAudio: true, delivery: { by: 'link' } },
  ]);
  expect(qualitiesOf({ audios, renderableAudios: [ready('audio')] }, () => true)).toMatchObject([
    { delivery: { by: 'render' } },
  ]);
  expect(qualitiesOf({ renderableAudios: [{ label: 'audio', error: 'No.' }] }, () => true)).toMatchObject([
    { delivery: { by: 'none', reason: 'No.' } },
  ]);
});
