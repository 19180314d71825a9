import { expect, test } from 'vitest';
import type { MediaItem } from '#client/index.ts';
import { isLinkExpired, sameMedia } from './same-media.ts';

const itemAt = (url: string, repId = '1', expires_at?: string): MediaItem => ({
  label: '720p',
  url,
  repId,
  metadata: {
    mime_type: 'video/mp4',
    width: 1,
    height: 1,
    has_audio: true,
    ...(expires_at === undefined ? {} : { expires_at }),
  },
});

test('a link has expired at its expiry time, and never without one', () => {
  const expiresAt = '2026-11-21T12:00:00.000Z';
  const at = Date.parse(expiresAt);
  const item = itemAt('https://a.example/1', '1', expiresAt);
  expect([isLinkExpired(item, at - 1), isLinkExpired(item, at)]).toEqual([false, true]);
  expect(isLinkExpired(itemAt('https://a.example/1'), at)).toBe(false);
});

test('the same media is found by its content item, its list and its ID', () => {
  const video = itemAt('https://a.example/old');
  const audio = itemAt('https://a.example/old-audio');
  const contents = [{ videos: [itemAt('https://a.example/other')] }, { videos: [video], audios: [audio] }];
  const fresh = itemAt('https://a.example/new');
  const freshAudio = itemAt('https://a.example/new-audio');
  const freshContents = [
    { videos: [itemAt('https://a.example/wrong')] },
    { videos: [itemAt('https://a.example/wrong', '2'), fresh], audios: [freshAudio] },
  ];
  expect(sameMedia(contents, video, freshContents)).toBe(fresh);
  expect(sameMedia(contents, audio, freshContents)).toBe(freshAudio);
  expect(sameMedia(contents, video, [{}])).toBeUndefined();
  expect(sameMedia(contents, itemAt('https://a.example/unknown'), freshContents)).toBeUndefined();
});
