import { describe, expect, it } from 'vitest';
import { runSteps } from '../../../waiting/steps.ts';
import { parseManifest } from './manifest.ts';
import { parseMetadata, type VideoMetadata } from './player-metadata.ts';
import { videoContent } from './video-content.ts';

const address = 'https://cdndirector.dailymotion.com/cdn/manifest/video/x1.m3u8?sec=a';
const manifest = (...lines: string[]) => runSteps(parseManifest(['#EXTM3U', ...lines].join('\n'), 200, address));

function metadata(members: Record<string, unknown> = {}): VideoMetadata {
  const { video } = parseMetadata(JSON.stringify({ id: 'x1', duration: 100, ...members }), 200);
  if (video === undefined) throw new Error('expected a video');
  return video;
}

const vod = [
  '#EXT-X-STREAM-INF:BANDWIDTH=460560,CODECS="mp4a.40.5,avc1.4d0016",RESOLUTION=512x288,NAME="380",PROGRESSIVE-URI="https://vod.example/sec2(a)/380.mp4#cell=cf"',
  'https://vod.example/sec2(b)/380.m3u8#cell=cf',
  '#EXT-X-STREAM-INF:BANDWIDTH=2149280,AVERAGE-BANDWIDTH=2000000,CODECS="mp4a.40.2,avc1.64001f",RESOLUTION=1280x720,NAME="720@60"',
  'https://vod.example/sec2(c)/720.m3u8#cell=cf',
];

describe('videoContent', () => {
  it('lists playlists before files, best first, with true dimensions and the data for renders', () => {
    const { videos, audios } = videoContent(metadata(), manifest(...vod));
    expect(audios).toBeUndefined();
    expect(videos).toEqual([
      {
        item: {
          label: 'hls-720',
          url: 'https://vod.example/sec2(c)/720.m3u8',
          repId: 'hls-720@60',
          metadata: {
            mime_type: 'application/vnd.apple.mpegurl',
            width: 1280,
            height: 720,
            has_audio: true,
            fps: 60,
            bitrate: 2000000,
            bandwidth: 2149280,
            codecs: 'mp4a.40.2,avc1.64001f',
          },
        },
        stream: {
          ext: 'm3u8',
          kind: 'muxed',
          estimatedBytes: 25_000_000,
          bitrate: 2000000,
          videoCodec: 'h264',
          audioCodec: 'aac',
        },
      },
      {
        item: expect.objectContaining({
          label: 'hls-380',
          repId: 'hls-380',
          metadata: expect.objectContaining({ width: 512, height: 288, bitrate: 460560 }),
        }),
        stream: expect.objectContaining({ estimatedBytes: 5_757_000 }),
      },
      {
        item: expect.objectContaining({
          label: 'http-380',
          repId: 'http-380',
          url: 'https://vod.example/sec2(a)/380.mp4',
          metadata: expect.objectContaining({ mime_type: 'video/mp4', height: 288 }),
        }),
      },
    ]);
  });

  it('merges a variant that several hosts offer into one item', () => {
    const lines = [...vod.slice(2), vod[2] ?? '', 'https://other.example/720.m3u8', vod[2] ?? '', vod[3] ?? ''];
    const { videos = [] } = videoContent(metadata({ mode: 'live' }), manifest(...lines));
    expect(videos).toHaveLength(1);
    expect(videos[0]?.item.url).toBe('https://vod.example/sec2(c)/720.m3u8');
    expect(videos[0]?.item.metadata.alternates).toEqual(['https://other.example/720.m3u8']);
  });

  it("omits a live stream's size and reports why it cannot be rendered", () => {
    const content = videoContent(metadata({ mode: 'live' }), manifest(...vod));
    expect(content.unrenderable).toMatch(/live/);
    expect(content.videos?.[0]?.stream).not.toHaveProperty('estimatedBytes');
  });

  it('keeps one quality in two codecs separate', () => {
    const of = (codec: string, url: string) => [
      `#EXT-X-STREAM-INF:CODECS="${codec},mp4a.40.2",RESOLUTION=1920x1080,NAME="1080"`,
      url,
    ];
    const { videos = [] } = videoContent(
      metadata(),
      manifest(...of('avc1.640028', 'a.m3u8'), ...of('av01.0.08M.08', 'b.m3u8')),
    );
    expect(videos.map(({ item }) => [item.label, item.repId])).toEqual([
      ['hls-1080', 'hls-1080'],
      ['hls-1080', 'hls-1080-av1'],
    ]);
    expect(videos.map(({ stream }) => stream?.videoCodec)).toEqual(['h264', 'av1']);
  });

  it('labels a stream by height, or by bit rate, when its quality has no number', () => {
    const { videos = [] } = videoContent(
      metadata(),
      manifest(
        '#EXT-X-STREAM-INF:BANDWIDTH=5,RESOLUTION=640x360,NAME="Full HD"',
        'a.m3u8',
        '#EXT-X-STREAM-INF:BANDWIDTH=9',
        'b.m3u8',
        '#EXT-X-STREAM-INF:BANDWIDTH=7',
        'c.m3u8',
        '#EXT-X-STREAM-INF:SPEED=7',
        'd.m3u8',
        '#EXT-X-STREAM-INF:SPEED=8',
        'e.m3u8',
      ),
    );
    expect(videos.map(({ item }) => item.repId)).toEqual([
      'hls-360',
      'hls-auto-9',
      'hls-auto-7',
      'hls-auto-3',
      'hls-auto-4',
    ]);
  });

  it('distinguishes video without audio from its separate audio track', () => {
    const { videos = [], audios = [] } = videoContent(
      metadata(),
      manifest(
        '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="en.m3u8"',
        '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Français",LANGUAGE="fr",URI="fr.m3u8"',
        '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="unused",NAME="x",URI="x.m3u8"',
        '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="x",URI="s.m3u8"',
        '#EXT-X-STREAM-INF:BANDWIDTH=5,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,NAME="720",AUDIO="a"',
        'v.m3u8',
        '#EXT-X-STREAM-INF:BANDWIDTH=2,CODECS="mp4a.40.2",AUDIO="a"',
        'only.m3u8',
      ),
    );
    expect(videos.map(({ item, stream }) => [item.label, stream?.kind, item.metadata.has_audio])).toEqual([
      ['hls-720', 'video', false],
    ]);
    expect(audios.map(({ item, stream }) => [item.label, stream?.kind, stream?.audioCodec, stream?.secondary])).toEqual(
      [
        ['hls-audio', 'audio', 'aac', undefined],
        ['English', 'audio', 'aac', undefined],
        ['Français', 'audio', 'aac', true],
      ],
    );
    expect(new Set(audios.map(({ item }) => item.repId)).size).toBe(3);
    expect(audios[2]?.item.metadata).toMatchObject({ width: 0, height: 0, has_audio: true, language: 'fr' });
  });

  it('takes the dimensions of files from the playlist, and renders from files only if there is no playlist', () => {
    const video = metadata({
      qualities: {
        720: [{ type: 'video/mp4', url: 'https://proxy.example/720.mp4' }],
        380: [{ type: 'video/mp4', url: 'https://proxy.example/380.mp4' }],
        240: [{ type: 'video/mp4', url: 'https://proxy.example/H264-320x180/240.mp4' }],
      },
    });
    const withPlaylist = videoContent(video, manifest(...vod)).videos ?? [];
    expect(withPlaylist.map(({ item, stream }) => [item.repId, item.metadata.height, stream?.ext])).toEqual([
      ['hls-720@60', 720, 'm3u8'],
      ['hls-380', 288, 'm3u8'],
      ['http-720', 720, undefined],
      ['http-380', 288, undefined],
      ['http-240', 180, undefined],
    ]);
    expect(withPlaylist[3]?.item.metadata.alternates).toEqual(['https://proxy.example/380.mp4']);
    const alone = videoContent(video, undefined).videos ?? [];
    expect(alone.map(({ item, stream }) => [item.label, item.metadata.height, stream?.ext])).toEqual([
      ['http-720', 0, 'mp4'],
      ['http-380', 0, 'mp4'],
      ['http-240', 180, 'mp4'],
    ]);
  });

  it('renders from files when the playlists contain only audio', () => {
    const video = metadata({ qualities: { 480: [{ type: 'video/mp4', url: 'https://proxy.example/480.mp4' }] } });
    const content = videoContent(video, manifest('#EXT-X-STREAM-INF:BANDWIDTH=2,CODECS="mp4a.40.2"', 'only.m3u8'));
    expect(content.videos?.map(({ item, stream }) => [item.label, stream?.ext])).toEqual([['http-480', 'mp4']]);
    expect(content.audios?.map(({ item, stream }) => [item.label, stream?.ext])).toEqual([['hls-audio', 'm3u8']]);
  });

  it('uses single-quality playlists when there is no master playlist', () => {
    const video = metadata({
      qualities: {
        720: [{ type: 'application/x-mpegURL', url: 'https://cdn.example/720.m3u8' }],
        1080: [{ type: 'application/x-mpegURL', url: 'https://cdn.example/1080.m3u8' }],
      },
    });
    expect(videoContent(video, undefined).videos?.map(({ item }) => item.label)).toEqual(['hls-1080', 'hls-720']);
    expect(videoContent(video, manifest(...vod)).videos).toHaveLength(3);
  });

  const thumbnails = { 60: 'https://s1.dmcdn.net/v/A/x60', 240: 'https://s1.dmcdn.net/v/B/428x240' };
  const portrait = '#EXT-X-STREAM-INF:BANDWIDTH=9,RESOLUTION=1080x1920,NAME="1080"';
  const firstFrames = { 60: 'https://s1.dmcdn.net/1/A/x60f', 240: 'https://s1.dmcdn.net/1/B/320x240f' };
  const file = { 480: [{ type: 'video/mp4', url: 'https://proxy.example/480.mp4' }] };

  it.each<[string, VideoMetadata, ReturnType<typeof manifest> | undefined, [string, number, number][]]>([
    [
      'a landscape video',
      metadata({ thumbnails }),
      manifest(...vod),
      [
        ['428x240', 428, 240],
        ['x60', 107, 60],
      ],
    ],
    [
      'a portrait video',
      metadata({ thumbnails }),
      manifest(portrait, 'p.m3u8'),
      [
        ['428x240', 428, 240],
        ['x60', 34, 60],
      ],
    ],
    [
      'a small video and its first frames',
      metadata({ thumbnails, first_frames: { 1080: 'https://s2.dmcdn.net/1/A/1920x1080f' } }),
      manifest('#EXT-X-STREAM-INF:BANDWIDTH=9,RESOLUTION=848x480,NAME="480"', 's.m3u8'),
      [
        ['428x240', 428, 240],
        ['x60', 107, 60],
      ],
    ],
    [
      'first frames',
      metadata({ thumbnails, first_frames: firstFrames, qualities: file }),
      undefined,
      [
        ['428x240', 428, 240],
        ['x60', 80, 60],
      ],
    ],
    ['nothing', metadata({ thumbnails, qualities: file }), undefined, [['428x240', 428, 240]]],
  ])('lists images with the width that follows from %s', (_, video, master, expected) => {
    const { images = [] } = videoContent(video, master);
    expect(images.map(({ item }) => [item.label, item.metadata.width, item.metadata.height])).toEqual(expected);
  });
});

describe('parseManifest', () => {
  it.each([
    ['<html>403 Forbidden</html>', 403],
    ['', 200],
    ['Just a moment', 503],
  ])('reports a body that is not a playlist as a source failure: %j', (body, status) => {
    expect(() => runSteps(parseManifest(body, status, address))).toThrow(
      expect.objectContaining({
        code: 'non_2xx_response',
        retryable: true,
        message: expect.stringContaining(`${status}`),
      }),
    );
  });

  it.each([
    ['{"manifests":[{"url":"https://a.example/"}]}', 'json_manifest'],
    ['<?xml version="1.0"?><MPD></MPD>', 'xml_manifest'],
    ['#EXTM3U\n#EXTINF:1\ns.ts', 'media_playlist'],
    ['#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO', 'playlist'],
  ])('reports another format as a change of the site: %j', (body, kind) => {
    expect(() => runSteps(parseManifest(body, 200, address))).toThrow(
      expect.objectContaining({ code: 'invalid_response_data', unread: { [kind]: 1 } }),
    );
  });

  it("passes on the site's own refusal", () => {
    expect(() => runSteps(parseManifest('{"error":{"code":"DM007","title":"Geo"}}', 403, address))).toThrow(
      expect.objectContaining({ code: 'unavailable', reason: 'Geo' }),
    );
  });

  it('accepts a playlist with any status', () => {
    expect(runSteps(parseManifest(`\uFEFF#EXTM3U\n${vod.join('\n')}`, 206, address)).variants).toHaveLength(2);
  });

  it('refuses a playlist with DRM', () => {
    expect(() =>
      manifest('#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="skd://1",KEYFORMAT="com.apple.streamingkeydelivery"', ...vod),
    ).toThrow(expect.objectContaining({ code: 'unavailable', message: expect.stringContaining('DRM') }));
  });

  it('rejects a media playlist', () => {
    expect(() => manifest('#EXTINF:1', 's.ts')).toThrow(/returned the playlist in a format that cannot be read/);
  });
});
