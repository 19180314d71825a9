import { describe, expect, it } from 'vitest';
import { readRecordings } from '../../../test/support/recordings.ts';
import { MillraceError } from '../../contract/errors.ts';
import { runSteps } from '../../waiting/steps.ts';
import { fakeSite } from '../testing/fake-site.ts';
import { videoDetails } from './endpoints/video-details.ts';
import { parseManifest } from './parse/manifest.ts';
import { parseMetadata, type VideoMetadata } from './parse/player-metadata.ts';
import { parseFacts } from './parse/rest-facts.ts';
import { videoContent } from './parse/video-content.ts';
import { defaultSite } from './site.ts';

const recordings = readRecordings('p5');

function recording(name: string): string {
  const text = recordings.get(name);
  if (text === undefined) throw new Error(`there is no recording ${name}`);
  return text;
}

const liveVideo: VideoMetadata = {
  id: 'x5gv5rr',
  isLive: true,
  passwordProtected: false,
  protectedDelivery: false,
  tags: [],
  thumbnails: [],
  firstFrames: [],
  subtitles: [],
  masters: [],
  playlists: [],
  files: [],
  unreadStreams: {},
  unreadSubtitles: {},
};
const address = 'https://www.dailymotion.com/cdn/manifest/video/x1.m3u8';

describe.skipIf(recordings.size === 0)('recorded responses', () => {
  it('each contain a playlist, video data or a refusal', () => {
    for (const [name, text] of recordings) {
      if (text.startsWith('#EXTM3U')) {
        const content = videoContent(liveVideo, runSteps(parseManifest(text, 200, address)));
        expect(content.videos?.length, name).toBeGreaterThan(0);
        for (const { item } of content.videos ?? []) {
          expect(item.label, name).toMatch(/^(hls|http)-\d+$/);
          expect(item.url, name).not.toContain('#');
          expect(item.metadata.width * item.metadata.height, name).toBeGreaterThan(0);
        }
      } else {
        const { video, refusal } = parseMetadata(text, 200);
        expect(video?.masters.length ?? refusal?.error.message.length, name).toBeGreaterThan(0);
      }
    }
  });

  it('yield the whole result of x96ndxe', async () => {
    const world = fakeSite(({ url }) => {
      if (url.hostname === 'api.dailymotion.com')
        return { status: 404, body: recording('index-excerpts/restapi_error_not_found.json') };
      const name = url.pathname.endsWith('.m3u8') ? 'master_x96ndxe.m3u8' : 'metadata_x96ndxe.json';
      return { body: recording(`PaganMuffin+video-scrapper/${name}`) };
    });
    const { contents, metadata } = await videoDetails(defaultSite).extract(
      { videoId: 'k1qHMhAd8SkWeABAfEC' },
      world.context,
    );
    expect(world.requests.map(({ url }) => url.host)).toEqual([
      'www.dailymotion.com',
      'www.dailymotion.com',
      'api.dailymotion.com',
    ]);
    expect(world.requests[1]?.url.searchParams.get('dmTs')).toBe('343707');

    const { videos = [], images = [], ...rest } = contents?.[0] ?? {};
    expect(rest).toEqual({ subjects: {} });
    expect(
      videos.map(({ item: { label, metadata } }) => [label, metadata.width, metadata.height, metadata.bandwidth]),
    ).toEqual([
      ['hls-1080', 1920, 1080, 6221600],
      ['hls-720', 1280, 720, 2149280],
      ['hls-480', 848, 480, 836280],
      ['hls-380', 512, 288, 460560],
      ['http-1080', 1920, 1080, 6221600],
      ['http-720', 1280, 720, 2149280],
      ['http-480', 848, 480, 836280],
      ['http-380', 512, 288, 460560],
    ]);
    expect(videos[3]).toMatchObject({
      item: {
        url: 'https://vod.cf.dmcdn.net/sec2(a2OUMV77Shrt8HzHa8_LtASRCoXl6oeKBqBq8qoEcAu_x8_-3_EmdPQD3OqN64iVpAMNWO_1cCMkj_8b_h5L2YDUIBMF5Zd3OlnbbsjeyUiQTmRPFk5IVpghEqNa0FtQufVqY-qKTF1Leyl9SOZU06-rKMDwH6HYgrX1LThdi2A)/video/814/463/555364418_mp4_h264_aac_2.m3u8',
        repId: 'hls-380',
        metadata: { mime_type: 'application/vnd.apple.mpegurl', has_audio: true, codecs: 'mp4a.40.5,avc1.4d0016' },
      },
      stream: { ext: 'm3u8', kind: 'muxed', videoCodec: 'h264', audioCodec: 'aac', estimatedBytes: 312_605_100 },
    });
    expect(videos[7]?.item.url).toMatch(/^https:\/\/vod\.cf\.dmcdn\.net\/sec2\(99iruXiN.*_aac_2\.mp4$/);

    expect(images.map(({ item }) => [item.label, item.metadata.width, item.metadata.height])).toEqual([
      ['x1080', 1920, 1080],
      ['x720', 1280, 720],
      ['x480', 853, 480],
      ['x360', 640, 360],
      ['x240', 427, 240],
      ['x180', 320, 180],
      ['x120', 213, 120],
      ['x60', 107, 60],
    ]);
    expect(metadata).toMatchObject({
      title: 'Dresiarz3sez01PL',
      thumbnailUrl: 'https://s2.dmcdn.net/v/X6Z121c_XriGAAglH/x1080',
      author: {
        id: 'x2tyghq',
        name: 'fanbojeleny',
        handle: 'fanbojelenki',
        url: 'https://www.dailymotion.com/fanbojelenki',
        thumbnails: [{ url: 'https://s2.dmcdn.net/u/ADGp-1d1jlF9zE9UY/60x60', width: 60, height: 60 }],
        verified: false,
      },
      additionalData: {
        id: 'x96ndxe',
        duration: 5430,
        createdAt: '2024-10-02T22:59:13.000Z',
        createdTime: 1727909953,
        channel: 'animals',
        language: 'pl',
        isLive: false,
        isPrivate: true,
        explicit: false,
        seekerUrl: 'https://s1.dmcdn.net/n/X6Z121c_Xri9MG07q',
        filmstripUrl: 'https://s2.dmcdn.net/k/X6Z121c_XriGCFDAu',
      },
    });
    expect(metadata.additionalData?.firstFrames).toHaveLength(8);
    expect(metadata.additionalData).not.toHaveProperty('tags');
    expect(metadata.additionalData).not.toHaveProperty('subtitles');
    // The share key of a private video is a secret of the caller, so it must not appear in results.
    expect(JSON.stringify({ contents, metadata })).not.toContain('k1qHMhAd8SkWeABAfEC');
  });

  it.each([
    ['dmdirect_c8', ['hls-1080', 'hls-720', 'hls-480', 'hls-380', 'hls-240'], [50, 50, 50, 25, 25], [1, 1, 1, 1, 1]],
    ['dmdirect_mensup', ['hls-380', 'hls-240'], [25, 25], [0, 0]],
    ['eqpe_eqpetv', ['hls-1080', 'hls-720', 'hls-480', 'hls-380', 'hls-240'], [25, 25, 25, 25, 25], [0, 1, 1, 1, 1]],
  ])('yield the live variants of %s, each once', (name, labels, fps, alternates) => {
    const text = recording(`ipstreet312+freeiptv/${name}.m3u8`);
    const { videos = [], unrenderable } = videoContent(liveVideo, runSteps(parseManifest(text, 200, address)));
    expect(unrenderable).toMatch(/live/);
    expect(videos.map(({ item }) => item.label)).toEqual(labels);
    expect(videos.map(({ item }) => item.metadata.fps)).toEqual(fps);
    expect(videos.map(({ item }) => (item.metadata.alternates as string[] | undefined)?.length ?? 0)).toEqual(
      alternates,
    );
    expect(videos.every(({ stream }) => stream?.estimatedBytes === undefined && stream?.videoCodec === 'h264')).toBe(
      true,
    );
  });

  it('yield the true dimensions of the c8 streams, whose labels differ from their heights', () => {
    const text = recording('ipstreet312+freeiptv/dmdirect_c8.m3u8');
    const { videos = [] } = videoContent(liveVideo, runSteps(parseManifest(text, 200, address)));
    const rung = videos.find(({ item }) => item.label === 'hls-480');
    expect(rung?.item).toMatchObject({ repId: 'hls-480@60', metadata: { width: 848, height: 477 } });
    expect(rung?.item.url).toMatch(/^https:\/\/live-b\.cf\.dmcdn\.net\/sec2\(.*\)\/dm\/3\/x5gv5rr\/d\/live-2\.m3u8$/);
  });

  it.each([
    ['metadata_error_DM007_geo', 'DM007', 'unavailable', 'Video dibatasi geo oleh pengguna.'],
    ['metadata_error_DM010_private', 'DM010', 'unavailable', 'Konten pribadi.'],
    [
      'metadata_error_password_protected',
      'password_protected',
      'unavailable',
      'This user does not have access to the video. He must provide a password',
    ],
    ['restapi_error_not_found', 'not_found', 'not_found', "Can't find object video for `id' parameter"],
  ])('yield the refusal of %s', (name, code, expected, reason) => {
    const text = recording(`index-excerpts/${name}.json`);
    expect(parseMetadata(text, 403).refusal).toMatchObject({
      code,
      error: { code: expected, reason, retryable: false },
    });
    expect(parseFacts(text)).toEqual({});
  });

  it('yield a MillraceError or a result when truncated anywhere', () => {
    for (const text of recordings.values()) {
      for (let length = 0; length < text.length; length += 97) {
        const truncatedText = text.slice(0, length);
        try {
          if (text.startsWith('#EXTM3U')) videoContent(liveVideo, runSteps(parseManifest(truncatedText, 200, address)));
          else parseMetadata(truncatedText, 200);
        } catch (error) {
          expect(error).toBeInstanceOf(MillraceError);
        }
      }
    }
  });
});
