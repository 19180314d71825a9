import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import { fields } from '../../../parsing/values.ts';
import type { Reply, SeenRequest } from '../../testing/fake-site.ts';
import { createYoutube } from '../index.ts';
import {
  ID,
  link,
  openVideoSite,
  playabilityRefusal,
  playable,
  requestKindOf,
  streamingData,
  unplayable,
} from '../testing/video-site.ts';

const hlsManifestUrl = 'https://manifest.googlevideo.com/api/manifest/hls_variant/expire/1780890130/index.m3u8';
const master =
  '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="mp4a.40.2,avc1.4D401F",RESOLUTION=1280x720\n' +
  'https://manifest.googlevideo.com/api/manifest/hls_playlist/itag/95/index.m3u8\n';
const withoutLinks = {
  ...playable,
  streamingData: {
    serverAbrStreamingUrl: link,
    adaptiveFormats: streamingData.adaptiveFormats.map(({ url, ...rest }) => rest),
  },
};
const withPlaylist = { ...withoutLinks, streamingData: { ...withoutLinks.streamingData, hlsManifestUrl } };
const muxed = {
  ...playable,
  streamingData: {
    formats: [
      {
        itag: 18,
        url: `${link}&itag=18`,
        mimeType: 'video/mp4; codecs="avc1.42001E, mp4a.40.2"',
        qualityLabel: '360p',
        width: 640,
        height: 360,
      },
    ],
  },
};
const androidPlays = { ANDROID: { body: { playerResponse: muxed } } };

/** Returns what identifies the client in each player request: its version and the start of its user agent. */
const playersIn = (requests: readonly SeenRequest[]) =>
  requests
    .filter((request) => ['VISIONOS', 'ANDROID'].includes(requestKindOf(request)))
    .map(({ body, headers }) => {
      const { clientName, clientVersion } = fields(fields(fields(body).context).client);
      const isSafari = headers['user-agent']?.startsWith('Mozilla') === true;
      return `${clientName} ${clientVersion}${isSafari ? ' Safari' : ''}`;
    });
const all = ['VISIONOS 1.04', 'VISIONOS 1.02', 'VISIONOS 1.02 Safari', 'ANDROID 21.03.36'];

describe('the client profiles', () => {
  it('are tried in order, and share requests and the visitor ID of their client', async () => {
    const site = openVideoSite({ VISIONOS: { body: withPlaylist }, hls: { status: 403, body: '' }, ...androidPlays });
    const { profile, notes, incomplete } = await site.extract();
    expect(playersIn(site.requests)).toEqual(all);
    expect(site.requestKinds().filter((kind) => kind === 'hls')).toHaveLength(1);
    expect(site.requestKinds().filter((kind) => kind === 'visitor')).toHaveLength(2);
    expect(profile).toBe('ANDROID');
    expect(notes).toEqual([
      'Some qualities are missing: the links come from the client profile ANDROID (highest quality: 360p, in one file), ' +
        'because VISIONOS returned none. YouTube returned no link to a file of this video.',
    ]);
    expect(incomplete).toBe(false);
  });

  it('include the playlist of a video whose files have no links', async () => {
    const site = openVideoSite({ VISIONOS: { body: withPlaylist }, hls: { body: master }, ...androidPlays });
    const { contents, profile, notes } = await site.extract();
    expect(playersIn(site.requests)).toEqual(all.slice(0, 3));
    expect(contents?.[0]?.videos?.map(({ item, stream }) => [item.label, stream?.ext])).toEqual([['720p', 'm3u8']]);
    expect(contents?.[0]).not.toHaveProperty('unrenderable');
    expect(profile).toBe('VISIONOS_HLS');
    expect(notes?.[0]).toContain('from the client profile VISIONOS_HLS (highest quality: 720p, as HLS), because');
  });

  it('are tried in the order that suits their media', async () => {
    const profileOrder = () => ['VISIONOS_HLS', 'ANDROID', 'VISIONOS'];
    const files = { ...playable, streamingData: { ...streamingData, hlsManifestUrl } };
    const site = openVideoSite({ VISIONOS: { body: files }, hls: { body: master } }, {}, { profileOrder });
    const { contents, profile, notes, incomplete } = await site.extract();
    expect(playersIn(site.requests)).toEqual(['VISIONOS 1.04']);
    expect(contents?.[0]?.videos?.map(({ stream }) => stream?.ext)).toEqual(['m3u8']);
    expect(profile).toBe('VISIONOS_HLS');
    expect(notes).toEqual([
      'Some qualities are missing: the links come from the client profile VISIONOS_HLS (highest quality: 720p, as HLS), ' +
        'because media of VISIONOS was recently refused.',
    ]);
    expect(incomplete).toBe(false);
  });

  it('get no note when the preferred one is used after all', async () => {
    const profileOrder = () => ['ANDROID', 'VISIONOS'];
    const site = openVideoSite({ ANDROID: { status: 503, body: '' } }, {}, { profileOrder });
    const { profile, notes, incomplete } = await site.extract();
    expect([profile, notes, incomplete]).toEqual(['VISIONOS', [], false]);
  });

  it.each<[string, Reply]>([
    ['has no links', { body: withoutLinks }],
    ['is refused with status 400', { status: 400, body: { error: { status: 'FAILED_PRECONDITION' } } }],
    [
      'is outdated',
      playabilityRefusal(
        'UNPLAYABLE',
        'The following content is not available on this app. Watch on the latest version',
      ),
    ],
  ])('include another version of a client that %s', async (_name, reply) => {
    const isNew = (request: SeenRequest) => JSON.stringify(request.body).includes('"1.04"');
    const site = openVideoSite({ VISIONOS: (request) => (isNew(request) ? reply : { body: playable }) });
    const { profile, notes, linkNotes } = await site.extract();
    expect(playersIn(site.requests)).toEqual(all.slice(0, 2));
    expect(profile).toBe('VISIONOS_1_02');
    expect(notes?.[0]).toMatch(
      /^The media links come from the client profile VISIONOS_1_02, because VISIONOS returned/,
    );
    expect(linkNotes?.[0]).toContain('com.google.visionos.youtube/1.02');
  });

  it.each<[string, Reply]>([
    ['does not play the video', unplayable],
    ['fails', { status: 503, body: '' }],
    ['does not respond', new MillraceError('operation_timeout', 'Late.')],
  ])('skip other versions of a client that %s', async (_name, reply) => {
    const site = openVideoSite({ VISIONOS: reply, ...androidPlays });
    expect((await site.extract()).profile).toBe('ANDROID');
    expect(playersIn(site.requests)).toEqual(['VISIONOS 1.04', 'ANDROID 21.03.36']);
  });

  it.each<[string, Reply, string]>([
    ['429', { status: 429, body: '' }, 'non_2xx_response'],
    ['a bot check', playabilityRefusal('LOGIN_REQUIRED', 'Confirm you’re not a bot'), 'non_2xx_response'],
    ['no response', new MillraceError('operation_timeout', 'Late.'), 'operation_timeout'],
  ])('end with the retryable failure after %s when the last one has no media', async (_name, reply, code) => {
    for (const playerResponse of [withoutLinks, unplayable.body]) {
      const site = openVideoSite({ VISIONOS: reply, ANDROID: { body: { playerResponse } } });
      await expect(site.extract()).rejects.toMatchObject({ code, retryable: true });
    }
  });

  it('share 20 seconds, of which each client gets a part', async () => {
    let now = 0;
    // Each request takes all of its time.
    const site = openVideoSite({ VISIONOS: { body: withPlaylist }, ...androidPlays });
    const { source } = site.context;
    const post: typeof source.post = (url, body, options) => {
      if (url.includes('youtubei.googleapis.com')) now += options?.timeout ?? 10_000;
      return source.post(url, body, options);
    };
    const get: typeof source.get = (url, options) => {
      now += options?.timeout ?? 10_000;
      return source.get(url, options);
    };
    const endpoint = createYoutube().endpoints.find(({ path }) => path === '/video/details');
    const context = { ...site.context, source: { get, post }, timeLeft: () => 25_000 - now };
    const extraction = await endpoint?.extract({ videoId: ID }, context);
    expect(extraction?.profile).toBe('ANDROID');
    expect(now).toBeLessThanOrEqual(20_000);
  });

  it('end in a timeout that a retry may avoid if no time remained to ask all of them', async () => {
    let now = 0;
    const site = openVideoSite({ VISIONOS: { body: withoutLinks }, ...androidPlays });
    const post: typeof site.context.source.post = (url, body, options) => {
      now += options?.timeout ?? 0;
      return site.context.source.post(url, body, options);
    };
    const endpoint = createYoutube().endpoints.find(({ path }) => path === '/video/details');
    const context = { ...site.context, source: { ...site.context.source, post }, timeLeft: () => 8_000 - now };
    await expect(endpoint?.extract({ videoId: ID }, context)).rejects.toMatchObject({
      code: 'operation_timeout',
      retryable: true,
    });
    expect(playersIn(site.requests)).not.toContain('ANDROID 21.03.36');
  });
});
