import { describe, expect, it } from 'vitest';
import { parseMetadata, type VideoMetadata } from './player-metadata.ts';

const m3u8 = {
  type: 'application/x-mpegURL',
  url: 'https://cdndirector.dailymotion.com/cdn/manifest/video/x1.m3u8?sec=a',
};

function read(members: Record<string, unknown>): VideoMetadata {
  const { video } = parseMetadata(JSON.stringify({ id: 'x1', ...members }), 200);
  if (video === undefined) throw new Error('expected a video');
  return video;
}

describe('parseMetadata', () => {
  it('reads every field', () => {
    const video = read({
      title: ' A title ',
      url: 'https://www.dailymotion.com/video/x1',
      duration: 51,
      created_time: 1727909953,
      channel: 'news',
      language: 'fr',
      tags: ['a', '', 5, 'b'],
      explicit: false,
      private: true,
      mode: 'vod',
      owner: {
        id: 'x2',
        screenname: 'Some One',
        username: 'someone',
        avatars: { 60: 'https://s2.dmcdn.net/u/A/60x60' },
      },
      thumbnails: { 60: 'https://s1.dmcdn.net/v/A/x60', 1080: 'https://s2.dmcdn.net/v/B/x1080', 240: 'no link' },
      first_frames: { 240: 'https://s2.dmcdn.net/1/A/428x240f' },
      subtitles: {
        enable: true,
        data: { en: { label: 'English', urls: ['https://static.dmcdn.net/en.srt'] }, fr: {} },
      },
      qualities: {
        auto: [m3u8],
        720: [
          { type: 'video/mp4', url: 'https://proxy.example/720.mp4#cell=cf' },
          { ...m3u8, url: `${m3u8.url}&q=720` },
        ],
        480: [{ type: 'application/vnd.lumberjack.manifest', url: 'https://proxy.example/480' }],
      },
    });
    expect(video).toEqual({
      id: 'x1',
      title: 'A title',
      url: 'https://www.dailymotion.com/video/x1',
      duration: 51,
      createdTime: 1727909953,
      channel: 'news',
      language: 'fr',
      mode: 'vod',
      isLive: false,
      explicit: false,
      isPrivate: true,
      passwordProtected: false,
      protectedDelivery: false,
      tags: ['a', 'b'],
      owner: {
        id: 'x2',
        name: 'Some One',
        handle: 'someone',
        avatars: [{ url: 'https://s2.dmcdn.net/u/A/60x60', width: 60, height: 60 }],
      },
      thumbnails: [
        { url: 'https://s2.dmcdn.net/v/B/x1080', height: 1080 },
        { url: 'https://s1.dmcdn.net/v/A/x60', height: 60 },
      ],
      firstFrames: [{ url: 'https://s2.dmcdn.net/1/A/428x240f', width: 428, height: 240 }],
      subtitles: [{ language: 'en', label: 'English', url: 'https://static.dmcdn.net/en.srt' }],
      masters: [m3u8.url],
      playlists: [{ quality: '720', url: `${m3u8.url}&q=720` }],
      files: [{ quality: '720', url: 'https://proxy.example/720.mp4' }],
      unreadStreams: {},
      unreadSubtitles: { subtitle: 1 },
    });
  });

  it('reads a video whose only valid field is its ID', () => {
    const junk = Object.fromEntries(
      ['title', 'duration', 'tags', 'owner', 'thumbnails', 'subtitles', 'qualities', 'explicit', 'url', 'mode'].map(
        (name) => [name, [[{ deep: 'er' }]]],
      ),
    );
    expect(read(junk)).toMatchObject({ id: 'x1', tags: [], thumbnails: [], masters: [], files: [], isLive: false });
  });

  it.each<[string, unknown, Record<string, number>]>([
    [
      'types',
      { auto: [m3u8, { type: 'application/dash+xml', url: 'https://a.example/m.mpd' }] },
      { 'application/dash+xml': 1 },
    ],
    ['members', { auto: [{ ...m3u8, url: undefined, href: m3u8.url }] }, { 'application/x-mpegurl': 1 }],
    ['forms', { auto: 'https://a.example/m.m3u8' }, { stream: 1 }],
    ['qualities', { hd: [{ type: 'video/mp4', url: 'https://a.example/hd.mp4' }] }, { 'video/mp4': 1 }],
    ['containers', undefined, { qualities: 1 }],
    ['no streams', [], {}],
  ])('counts streams of unknown %s', (_, qualities, expected) => {
    expect(read({ qualities }).unreadStreams).toEqual(expected);
  });

  it('reads a playlist of all qualities under any name', () => {
    const { masters } = read({ qualities: { best: [{ ...m3u8, url: 'https://a.example/m.m3u8' }], auto: m3u8 } });
    expect(masters).toEqual([m3u8.url, 'https://a.example/m.m3u8']);
  });

  it.each<[string, unknown, Record<string, number>]>([
    ['no list', { enable: false }, {}],
    ['an empty list', { enable: true, data: [] }, {}],
    ['a list of tracks', { data: [{ lang: 'en', url: 'https://a.example/en.srt' }] }, { subtitle: 1 }],
    ['tracks without links', { data: { en: { label: 'E', files: [] }, fr: 'x' } }, { subtitle: 2 }],
    ['a renamed list', { enable: true, tracks: {} }, { subtitle: 1 }],
    ['a bare list', [{ lang: 'en' }], { subtitle: 1 }],
  ])('counts subtitles with %s', (_, subtitles, expected) => {
    expect(read({ subtitles }).unreadSubtitles).toEqual(expected);
  });

  it('reads images in the older format', () => {
    expect(read({ posters: { 720: 'https://s1.dmcdn.net/v/A/x720' } }).thumbnails).toHaveLength(1);
    expect(read({ thumbnails: {}, posters: { 720: 'https://s1.dmcdn.net/v/A/x720' } }).thumbnails).toHaveLength(1);
  });

  it('detects a live stream by mode or stream type and omits its duration', () => {
    expect(read({ mode: 'live', duration: 0 })).toMatchObject({ isLive: true });
    expect(read({ stream_type: 'live' }).isLive).toBe(true);
    expect(read({ mode: 'live', duration: 0 })).not.toHaveProperty('duration');
  });

  it('takes the ID from the URL when no field contains it', () => {
    const { video } = parseMetadata('{"url":"https://www.dailymotion.com/video/x9"}', 200);
    expect(video?.id).toBe('x9');
  });

  it.each(['{}', '{"id":""}', '{"id":5}', '{"id":"../../etc"}'])('requires an ID: %s', (body) => {
    expect(() => parseMetadata(body, 200)).toThrow(expect.objectContaining({ code: 'invalid_response_data' }));
  });

  it('distinguishes truncated data from a page', () => {
    const truncatedBody = '{"id":"x1","title":"A vid';
    expect(() => parseMetadata(truncatedBody, 200)).toThrow(expect.objectContaining({ code: 'invalid_response_data' }));
    expect(() => parseMetadata(truncatedBody, 503)).toThrow(expect.objectContaining({ code: 'non_2xx_response' }));
  });

  it.each([
    ['<html>Just a moment...</html>', 403],
    ['<html></html>', 200],
    ['', 200],
    ['[]', 200],
    ['null', 200],
    ['{"id":"x1"}', 503],
  ])('rejects a response without video data: %s with status %i', (body, status) => {
    expect(() => parseMetadata(body, status)).toThrow(
      expect.objectContaining({
        code: 'non_2xx_response',
        retryable: true,
        message: expect.stringContaining(`${status}`),
      }),
    );
  });

  it.each([200, 403, 500])('reads the refusal before it checks status %i', (status) => {
    const { refusal } = parseMetadata('{"error":{"code":"DM010","title":"Private"}}', status);
    expect(refusal).toMatchObject({ code: 'DM010', error: { code: 'unavailable', reason: 'Private' } });
  });
});
