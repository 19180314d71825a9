import { describe, expect, test } from 'vitest';
import type { MediaItem, RenderableMediaItem } from '../../contract/media-items.ts';
import { chooseFile, qualitiesOf } from './choose-file.ts';

function media(label: string, mime_type: string, height: number, more: Record<string, unknown> = {}): MediaItem {
  const metadata = { mime_type, height, width: (height * 16) / 9, has_audio: true, ...more };
  return { label, url: `https://cdn.example/${label}`, repId: label, metadata };
}

const render = (label: string, mime_type = 'video/mp4'): RenderableMediaItem => ({
  label,
  repId: label,
  metadata: { mime_type, width: 0, height: 0, has_audio: true },
  renderConfig: { executionUrl: `https://x/${label}`, statusUrl: 'wss://x', sseStatusUrl: 'https://x' },
});

const videos = [media('360p', 'video/mp4', 360), media('1080p', 'video/mp4', 1080), media('720p', 'video/mp4', 720)];
const silent = videos.map((item) => ({ ...item, metadata: { ...item.metadata, has_audio: false } }));
const images = [media('320x240', 'image/jpeg', 240), media('1920x1080', 'image/webp', 1080)];

describe('a video', () => {
  test('is rendered if possible', () => {
    const content = { videos: silent, renderableVideos: [{ label: '720p', error: 'no' }, render('720p60')] };
    expect(chooseFile(content, '720p')).toEqual({ label: '720p60', ext: 'mp4', start: 'https://x/720p60' });
  });

  test.each([
    ['best', '1080p'],
    ['worst', '360p'],
    ['720p', '720p'],
  ])('is downloaded unchanged if it needs no render: %s', (quality, label) => {
    expect(chooseFile({ videos, images }, quality)).toEqual({ label, ext: 'mp4', url: `https://cdn.example/${label}` });
  });

  test('with audio is preferred to a larger silent one', () => {
    expect(chooseFile({ videos: [...silent, media('240p', 'video/mp4', 240)] }, 'best').label).toBe('240p');
  });

  test('that is a playlist becomes an MP4 file', () => {
    const content = { videos: [media('hls-720', 'application/vnd.apple.mpegurl', 720)] };
    expect(chooseFile(content, '720p')).toMatchObject({ playlist: true, ext: 'mp4' });
  });

  test("that cannot be rendered is refused with the service's reason and the available qualities", () => {
    const content = { videos: silent, renderableVideos: [{ label: '1080p', error: '1080p is too large.' }] };
    expect(() => chooseFile(content, '1080p')).toThrow('1080p is too large. Available: 360p, 1080p, 720p.');
    expect(() => chooseFile({ videos }, '4320p')).toThrow(
      'The quality 4320p is not available. Available: 360p, 1080p, 720p.',
    );
  });
});

describe('audio', () => {
  const audios = [
    media('Opus', 'audio/webm', 0, { bitrate: 160_000, is_original: true }),
    media('AAC low', 'audio/mp4', 0, { bitrate: 48_000, is_original: true }),
    media('AAC DRC', 'audio/mp4', 0, { bitrate: 130_000, is_original: true, is_drc: true }),
    media('AAC', 'audio/mp4', 0, { bitrate: 128_000, is_original: true }),
    media('AAC dubbed', 'audio/mp4', 0, { bitrate: 128_000, language: 'de-DE' }),
  ];

  test('is rendered if possible', () => {
    const content = { audios, renderableAudios: [render('audio', 'audio/mp4')] };
    expect(chooseFile(content, 'audio')).toEqual({ label: 'audio', ext: 'm4a', start: 'https://x/audio' });
  });

  test('is the original track as MP4 in the best quality if it cannot be rendered', () => {
    expect(chooseFile({ audios }, 'audio')).toMatchObject({ label: 'AAC', ext: 'm4a' });
  });

  test('is chosen in the requested language', () => {
    expect(chooseFile({ audios }, 'audio', 'de')).toMatchObject({ label: 'AAC dubbed' });
  });

  test('is refused if the content has no audio', () => {
    expect(() => chooseFile({ videos }, 'audio')).toThrow('The quality audio is not available.');
  });
});

test('images are chosen in their largest size, on request or if there is nothing else', () => {
  expect(chooseFile({ images }, 'best')).toMatchObject({ label: '1920x1080', ext: 'webp' });
  expect(chooseFile({ videos, images }, 'image')).toMatchObject({ label: '1920x1080' });
  expect(() => chooseFile({}, 'best')).toThrow('The quality best is not available.');
});

test('qualitiesOf returns distinct labels', () => {
  expect(qualitiesOf({ videos: [...videos, ...silent] })).toEqual(['360p', '1080p', '720p']);
});
