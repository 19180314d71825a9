import { describe, expect, test } from 'vitest';
import type { MediaItem, RenderableMediaItem } from '../../contract/media-items.ts';
import { chooseFile, contentsFor, qualitiesOf } from './choose-file.ts';

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
    expect(chooseFile(content, { quality: '720p' })).toEqual({
      label: '720p60',
      ext: 'mp4',
      start: 'https://x/720p60',
    });
  });

  test.each([
    ['best', '1080p'],
    ['worst', '360p'],
    ['720p', '720p'],
  ])('is downloaded unchanged if it needs no render: %s', (quality, label) => {
    expect(chooseFile({ videos, images }, { quality })).toEqual({
      label,
      ext: 'mp4',
      url: `https://cdn.example/${label}`,
    });
  });

  test('with audio is preferred to a larger silent one', () => {
    expect(chooseFile({ videos: [...silent, media('240p', 'video/mp4', 240)] }, { quality: 'best' }).label).toBe(
      '240p',
    );
  });

  test('that is a playlist becomes an MP4 file', () => {
    const content = { videos: [media('hls-720', 'application/vnd.apple.mpegurl', 720)] };
    expect(chooseFile(content, { quality: '720p' })).toMatchObject({ playlist: true, ext: 'mp4' });
  });

  test("that cannot be rendered is refused with the service's reason and the available qualities", () => {
    const content = { videos: silent, renderableVideos: [{ label: '1080p', error: '1080p is too large.' }] };
    expect(() => chooseFile(content, { quality: '1080p' })).toThrow(
      '1080p is too large. Available: 360p, 1080p, 720p.',
    );
    expect(() => chooseFile({ videos }, { quality: '4320p' })).toThrow(
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
    expect(chooseFile(content, { quality: 'audio' })).toEqual({ label: 'audio', ext: 'm4a', start: 'https://x/audio' });
  });

  test('is the original track as MP4 in the best quality if it cannot be rendered', () => {
    expect(chooseFile({ audios }, { quality: 'audio' })).toMatchObject({ label: 'AAC', ext: 'm4a' });
  });

  test('is chosen in the requested language', () => {
    expect(chooseFile({ audios }, { quality: 'audio', language: 'de' })).toMatchObject({ label: 'AAC dubbed' });
  });

  test('is refused if the content has no audio', () => {
    expect(() => chooseFile({ videos }, { quality: 'audio' })).toThrow('The quality audio is not available.');
  });
});

describe('an existing file', () => {
  test('is refused if an option needs a render', () => {
    expect(() => chooseFile({ videos }, { quality: 'best', renderOption: 'clip' })).toThrow(
      'This file can only be downloaded unchanged. Run the command again without --clip.',
    );
    const content = { videos, renderableVideos: [{ label: 'highres', error: 'The video is too large.' }] };
    expect(() => chooseFile(content, { quality: 'best', renderOption: 'clip' })).toThrow('The video is too large.');
  });

  test('that is an image is not affected by options for media', () => {
    expect(chooseFile({ images }, { quality: 'best', renderOption: 'clip' })).toMatchObject({ ext: 'webp' });
  });
});

describe('a file whose type is not that of media', () => {
  const type = 'application/x-msdownload';

  test.each([
    ['exists', { videos: [media('720p', type, 720)] }],
    ['is rendered', { renderableVideos: [render('720p', type)] }],
  ])('gets no extension that a program opens if it %s', (_how, content) => {
    expect(chooseFile(content, { quality: '720p' })).toMatchObject({ ext: 'bin', otherType: type });
  });
});

describe('a file that must be rendered', () => {
  const renderableAudios = [render('audio', 'audio/mp4'), render('mp3', 'audio/mpeg'), { label: 'opus', error: 'No.' }];

  test('has the requested audio format', () => {
    const choice = chooseFile({ renderableAudios }, { quality: 'audio', audioFormat: 'mp3' });
    expect(choice).toEqual({ label: 'mp3', ext: 'mp3', start: 'https://x/mp3' });
  });

  test('has the extension of its format, or of its type if it is the original', () => {
    const content = { renderableAudios: [render('opus', 'audio/ogg'), render('original', 'audio/mp4')] };
    expect(chooseFile(content, { quality: 'audio', audioFormat: 'opus' })).toMatchObject({ ext: 'opus' });
    expect(chooseFile(content, { quality: 'audio', audioFormat: 'original' })).toMatchObject({ ext: 'm4a' });
  });

  test('can be a slideshow of images', () => {
    const content = { images, renderableVideos: [render('slideshow')] };
    expect(chooseFile(content, { quality: 'slideshow' })).toMatchObject({ ext: 'mp4', start: 'https://x/slideshow' });
  });

  test("is refused with the service's reason", () => {
    const choose = (audioFormat: string) => chooseFile({ renderableAudios }, { quality: 'audio', audioFormat });
    expect(() => choose('opus')).toThrow('No.');
    expect(() => choose('flac')).toThrow('This link has no flac file.');
  });
});

test('images are chosen in their largest size, on request or if there is nothing else', () => {
  expect(chooseFile({ images }, { quality: 'best' })).toMatchObject({ label: '1920x1080', ext: 'webp' });
  expect(chooseFile({ videos, images }, { quality: 'image' })).toMatchObject({ label: '1920x1080' });
  expect(() => chooseFile({}, { quality: 'best' })).toThrow('The quality best is not available.');
});

test('qualitiesOf returns distinct labels', () => {
  expect(qualitiesOf({ videos: [...videos, ...silent] })).toEqual(['360p', '1080p', '720p']);
});

describe('the items of a post', () => {
  const photo = { content: { images, renderableAudios: [{ label: 'mp3', error: 'no audio' }] } };
  const photoWithMusic = { content: { images, renderableAudios: [render('mp3', 'audio/mpeg')] } };
  const video = { content: { videos, renderableAudios: [{ label: 'mp3', error: 'too large' }] } };
  const slideshow = { content: { images, renderableVideos: [render('slideshow')] } };
  const audio = { quality: 'audio', audioFormat: 'mp3' };

  test('are all concerned by a quality', () => {
    expect(contentsFor([photo, video], { quality: 'best' })).toEqual([photo, video]);
  });

  test('with audio are concerned by an audio format, even if its render has an error', () => {
    expect(contentsFor([photo, video, photoWithMusic], audio)).toEqual([video, photoWithMusic]);
    expect(contentsFor([photo], audio)).toEqual([photo]);
  });

  test('with a slideshow are concerned by one', () => {
    expect(contentsFor([photo, slideshow], { quality: 'slideshow' })).toEqual([slideshow]);
    expect(contentsFor([photo], { quality: 'slideshow' })).toEqual([photo]);
  });
});
