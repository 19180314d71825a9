import { describe, expect, it, vi } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import { fakeSite, type Reply, withStrategy } from '../../testing/fake-site.ts';
import { createYoutube } from '../index.ts';
import {
  defaultReplies,
  details,
  ID,
  link,
  openVideoSite,
  playabilityRefusal,
  playable,
  type RequestKind,
  requestKindOf,
  streamingData,
  unplayable,
} from '../testing/video-site.ts';

/** A response with files that only the site's own protocol serves. */
const withoutLinks = {
  ...playable,
  streamingData: {
    serverAbrStreamingUrl: link,
    adaptiveFormats: streamingData.adaptiveFormats.map(({ url, ...rest }) => rest),
  },
};

describe('video media', () => {
  it('come from the next client when one does not play the video', async () => {
    for (const [first, temporary] of [
      [unplayable, false],
      [{ status: 400, body: '' }, true],
      [{ body: { ...playable, streamingData: { adaptiveFormats: [] } } }, false],
      [{ body: { ...playable, streamingData: {} } }, true],
    ] as const) {
      const site = openVideoSite({ VISIONOS: first });
      const { contents, notes, incomplete } = await site.extract();
      expect(incomplete).toBe(temporary);
      expect(contents?.[0]?.videos?.[0]?.stream?.headers?.['user-agent']).toContain('com.google.android.youtube');
      expect(notes?.[0]).toMatch(/from the client profile ANDROID, because VISIONOS returned none/);
      const androidRequest = site.requests.find((request) => requestKindOf(request) === 'ANDROID');
      expect(androidRequest?.url.pathname).toBe('/youtubei/v1/reel/reel_item_watch');
      expect(androidRequest?.url.searchParams.get('$fields')).toBe('playerResponse');
      expect(androidRequest?.body).toMatchObject({ playerRequest: { videoId: ID }, disablePlayerResponse: false });
    }
  });

  it('are reported as unread when the player lists them in an unknown format', async () => {
    const drifted = { ...playable, streamingData: { expiresInSeconds: '21540', formatsV2: [{ itag: 18 }] } };
    const site = openVideoSite({ VISIONOS: { body: drifted }, ANDROID: { body: { playerResponse: drifted } } });
    await expect(site.extract()).rejects.toMatchObject({ code: 'invalid_response_data', unread: { formatsV2: 1 } });
  });

  it('are reported as unread when a playable player lists none anywhere', async () => {
    const empty = { ...playable, streamingData: undefined };
    const site = openVideoSite({ VISIONOS: { body: empty }, ANDROID: { body: { playerResponse: empty } } });
    await expect(site.extract()).rejects.toMatchObject({
      code: 'invalid_response_data',
      unread: { 'player-without-streamingData': 1 },
    });
  });

  it.each([{ href: link }, '/api/manifest/hls', '//manifest.googlevideo.com/x', 'rtsp://a.example/x', null, 7, ''])(
    'come from the next client when the address of the playlist is %j',
    async (hlsManifestUrl) => {
      const drifted = { ...playable, streamingData: { hlsManifestUrl, adaptiveFormats: [] } };
      const { contents, notes, unread } = await openVideoSite({ VISIONOS: { body: drifted } }).extract();
      expect(contents?.[0]?.videos).toHaveLength(1);
      expect(notes?.[0]).toMatch(/because VISIONOS returned none\. YouTube returned the streams/);
      expect(unread).toMatchObject({ hlsManifestUrl: 1 });
    },
  );

  it.each([
    [{ x_url: link }, 'format-without-url'],
    [{ url: { href: link } }, 'format-without-url'],
    [{ url: '//rr1.googlevideo.com/videoplayback' }, 'format-without-url'],
    [{ url: 'ftp://rr1.googlevideo.com/videoplayback' }, 'format-without-url'],
    [{ url: link, itag: 'high' }, 'format-without-itag'],
    [{ url: link, mimeType: undefined }, 'format-without-mimeType'],
    [{ url: link, mimeType: 'sound/mp4' }, 'format-without-mimeType'],
  ])('are counted when a file has an unknown format: %j', async (changed, kind) => {
    const file = { itag: 137, mimeType: 'video/mp4; codecs="avc1.640028"', ...changed };
    const some = { ...playable, streamingData: { adaptiveFormats: [file, ...streamingData.adaptiveFormats] } };
    const { contents, unread } = await openVideoSite({ VISIONOS: { body: some } }).extract();
    expect([contents?.[0]?.videos?.length, contents?.[0]?.audios?.length, unread?.[kind]]).toEqual([1, 1, 1]);
    const all = { ...playable, streamingData: { serverAbrStreamingUrl: link, adaptiveFormats: [file, file] } };
    const site = openVideoSite({ VISIONOS: { body: all }, ANDROID: { body: { playerResponse: withoutLinks } } });
    await expect(site.extract()).rejects.toMatchObject({ code: 'invalid_response_data', unread: { [kind]: 2 } });
  });

  it('are not reported as unread when the site offers only files that cannot be fetched', async () => {
    const [file] = streamingData.adaptiveFormats;
    for (const adaptiveFormats of [
      [{ ...file, drmFamilies: ['WIDEVINE'] }],
      [{ ...file, type: 'FORMAT_STREAM_TYPE_OTF' }],
      [{ ...file, url: `${link}&n=a` }],
      [{ ...file, url: undefined, signatureCipher: 's=a&url=https%3A%2F%2Fa.example' }],
      [{ ...file, url: undefined }],
    ]) {
      const body = { ...playable, streamingData: { serverAbrStreamingUrl: link, adaptiveFormats } };
      const site = openVideoSite({ VISIONOS: { body }, ANDROID: { body: { playerResponse: body } } });
      await expect(site.extract()).rejects.toMatchObject({ code: 'unavailable' });
    }
  });

  it('are counted when a player lists them under another name beside a playlist', async () => {
    const { adaptiveFormats } = streamingData;
    const hlsManifestUrl = 'https://manifest.googlevideo.com/x';
    const body = { ...playable, streamingData: { hlsManifestUrl, formatsV2: adaptiveFormats } };
    expect((await openVideoSite({ VISIONOS: { body } }).extract()).unread).toMatchObject({ formatsV2: 1 });
  });

  it('are counted when a player does not tell whether it plays the video', async () => {
    const { playabilityStatus, ...drifted } = playable;
    for (const name of ['VISIONOS', 'web']) {
      const { contents, unread } = await openVideoSite({ [name]: { body: drifted } }).extract();
      expect(contents?.[0]?.videos).toHaveLength(1);
      expect(unread).toMatchObject({ 'player-without-playabilityStatus': 1 });
    }
  });

  it.each(['VISIONOS', 'ANDROID'] as const)(
    'come only from the client %s when it is the strategy',
    async (strategy) => {
      const endpoint = createYoutube().endpoints.find(({ path }) => path === '/video/details');
      expect(endpoint?.strategies).toEqual(['VISIONOS', 'VISIONOS_1_02', 'VISIONOS_SAFARI', 'VISIONOS_HLS', 'ANDROID']);
      const site = openVideoSite({ VISIONOS: unplayable, ANDROID: { body: { playerResponse: unplayable.body } } });
      await expect(endpoint?.extract({ videoId: ID }, withStrategy(site.context, strategy))).rejects.toMatchObject({
        code: 'unavailable',
      });
      const players = site.requests.map(requestKindOf).filter((kind) => kind === 'VISIONOS' || kind === 'ANDROID');
      expect(players).toEqual([strategy]);
    },
  );

  it('are requested as a new visitor after a bot check', async () => {
    let visitorRequests = 0;
    const bot = playabilityRefusal('LOGIN_REQUIRED', 'Sign in to confirm you’re not a bot');
    const site = fakeSite((request) => {
      if (requestKindOf(request) === 'visitor') visitorRequests += 1;
      const reply = { ...defaultReplies, VISIONOS: bot, ANDROID: { body: { playerResponse: bot.body } } }[
        requestKindOf(request)
      ];
      return typeof reply === 'object' ? reply : { status: 500, body: '' };
    });
    const endpoint = createYoutube().endpoints.find(({ path }) => path === '/video/details');
    // Each of the two clients requests a visitor ID, and the first client requests a second one. The next extraction
    // requests all three again.
    for (const visitors of [3, 6]) {
      await expect(endpoint?.extract({ videoId: ID }, site.context)).rejects.toMatchObject({
        code: 'non_2xx_response',
        retryable: true,
        reason: 'Sign in to confirm you’re not a bot.',
      });
      expect(visitorRequests).toBe(visitors);
    }
  });

  it('are returned to a new visitor when the first one is treated as a bot', async () => {
    let playerRequests = 0;
    const { extract: extractDetails, requestKinds } = openVideoSite({
      VISIONOS: () =>
        ++playerRequests === 1 ? playabilityRefusal('LOGIN_REQUIRED', 'Confirm you’re not a bot') : { body: playable },
    });
    expect((await extractDetails()).notes?.join()).not.toContain('missing');
    expect(requestKinds().filter((kind) => kind === 'visitor')).toHaveLength(2);
    expect(requestKinds()).not.toContain('ANDROID');
  });

  it('are not requested again when a bot check took too long', async () => {
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    const { extract: extractDetails, requestKinds } = openVideoSite({
      VISIONOS: () => {
        now += 5_001;
        return playabilityRefusal('LOGIN_REQUIRED', 'Confirm you’re not a bot');
      },
    });
    await extractDetails().finally(() => clock.mockRestore());
    expect(requestKinds().filter((kind) => kind === 'VISIONOS')).toHaveLength(1);
    expect(requestKinds()).toContain('ANDROID');
  });

  it.each<[string, Reply, string, readonly RequestKind[]]>([
    ['an age gate', playabilityRefusal('LOGIN_REQUIRED', 'Sign in to confirm your age'), 'age_restricted', []],
    ['a private video', playabilityRefusal('LOGIN_REQUIRED', 'This video is private'), 'unavailable', []],
    [
      'members',
      playabilityRefusal('UNPLAYABLE', "This video is available to this channel's members"),
      'unavailable',
      [],
    ],
    ['nothing', playabilityRefusal('ERROR', 'Video unavailable'), 'not_found', ['ANDROID']],
    ['an empty response', { body: {} }, 'not_found', ['ANDROID']],
    ['429', { status: 429, body: '' }, 'non_2xx_response', ['ANDROID']],
    ['truncated JSON', { body: '{"playabilityStatus"' }, 'invalid_response_data', ['ANDROID']],
    ['no way through', new MillraceError('connection_error', 'Down.'), 'connection_error', ['ANDROID']],
  ])('are refused with %s', async (_name, reply, code, others) => {
    const android =
      reply instanceof Error || typeof reply.body === 'string' ? reply : { body: { playerResponse: reply.body } };
    const site = openVideoSite({ VISIONOS: reply, ANDROID: android });
    await expect(site.extract()).rejects.toMatchObject({ code });
    expect(site.requestKinds().filter((kind) => kind === 'ANDROID')).toEqual(others);
  });

  it('are not reported as missing when the response has an unknown format', async () => {
    await expect(
      openVideoSite({ VISIONOS: unplayable, ANDROID: { body: { player: {} } } }).extract(),
    ).rejects.toMatchObject({
      code: 'invalid_response_data',
    });
    await expect(openVideoSite({ VISIONOS: unplayable, ANDROID: { body: {} } }).extract()).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('stay behind an age gate that only the WEB player reports', async () => {
    await expect(
      openVideoSite({ web: playabilityRefusal('LOGIN_REQUIRED', 'Sign in to confirm your age') }).extract(),
    ).rejects.toMatchObject({
      code: 'age_restricted',
    });
  });

  it('are refused with the countries where they are available', async () => {
    const closed = playabilityRefusal('UNPLAYABLE', 'The uploader has not made this video available in your country');
    await expect(openVideoSite({ VISIONOS: closed }).extract()).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'The uploader has not made this video available in your country.',
      detail: { allowedCountries: ['DE', 'FR'] },
    });
  });

  it('are empty before the video begins', async () => {
    const offlineSlate = { liveStreamOfflineSlateRenderer: { scheduledStartTime: '1677592800' } };
    const status = {
      status: 'LIVE_STREAM_OFFLINE',
      reason: 'Premieres in 18 hours',
      liveStreamability: { liveStreamabilityRenderer: { offlineSlate } },
    };
    const upcoming = { playabilityStatus: status, videoDetails: { ...details, isUpcoming: true } };
    const { contents, metadata } = await openVideoSite({ VISIONOS: { body: upcoming } }).extract();
    expect(contents).toEqual([{ unrenderable: 'The video is not live. Premieres in 18 hours', subjects: {} }]);
    expect(metadata.additionalData).toMatchObject({
      isUpcoming: true,
      isLive: false,
      live: { scheduledAt: '2023-02-28T14:00:00.000Z' },
    });
  });
});

describe('a live stream', () => {
  const hlsManifestUrl = 'https://manifest.googlevideo.com/api/manifest/hls_variant/expire/1780890130/x/index.m3u8';
  const live = {
    ...playable,
    videoDetails: { ...details, isLive: true, lengthSeconds: '0' },
    streamingData: {
      hlsManifestUrl,
      adaptiveFormats: [{ itag: 137, url: link, mimeType: 'video/mp4; codecs="avc1.640028"', targetDurationSec: 5 }],
    },
  };
  const variant = (itag: number, height: number, fps: number) =>
    `#EXT-X-STREAM-INF:BANDWIDTH=${height * 3_000},CODECS="mp4a.40.2,avc1.4D401F",` +
    `RESOLUTION=${(height * 16) / 9}x${height},FRAME-RATE=${fps}\n` +
    `https://manifest.googlevideo.com/api/manifest/hls_playlist/expire/1780890130/itag/${itag}/index.m3u8\n`;
  const master = `#EXTM3U\n${variant(93, 360, 30)}${variant(301, 1080, 60)}`;

  it('has its playlists, largest first, and nothing that can be rendered', async () => {
    const site = openVideoSite({ VISIONOS: { body: live }, hls: { body: master } });
    const { contents, metadata } = await site.extract();
    const [content] = contents ?? [];
    expect(content?.unrenderable).toMatch(/no end/);
    expect(content?.videos?.map(({ item }) => [item.label, item.repId, item.metadata.has_audio])).toEqual([
      ['1080p60', 'hls-301', true],
      ['360p', 'hls-93', true],
    ]);
    expect(content?.videos?.[0]).toMatchObject({
      item: {
        metadata: { mime_type: 'application/vnd.apple.mpegurl', width: 1920, expires_at: '2026-06-08T03:42:10.000Z' },
      },
      stream: { ext: 'm3u8', videoCodec: 'h264', audioCodec: 'aac' },
    });
    expect(metadata.additionalData).toMatchObject({ type: 'live', isLive: true, live: { hlsManifestUrl } });
    expect(site.requests.at(-1)?.headers['user-agent']).toContain('visionos');
  });

  it('has only its master playlist when that cannot be read', async () => {
    for (const hls of [
      { status: 403, body: '' },
      { body: '#EXTM3U\n' },
      new MillraceError('operation_timeout', 'Late.'),
    ]) {
      const { contents, notes } = await openVideoSite({ VISIONOS: { body: live }, hls }).extract();
      expect(contents?.[0]?.videos?.map(({ item }) => [item.label, item.url])).toEqual([['hls', hlsManifestUrl]]);
      expect(notes?.[0]).toMatch(/^Some qualities are missing/);
    }
  });

  it('that has ended can be rendered from its playlists', async () => {
    const over = { ...live, videoDetails: { ...details, isLive: false, lengthSeconds: '100' } };
    const [content] =
      (await openVideoSite({ VISIONOS: { body: over }, hls: { body: master } }).extract()).contents ?? [];
    expect(content).not.toHaveProperty('unrenderable');
    expect(content?.videos?.[0]?.stream).toMatchObject({ estimatedBytes: 40_500_000 });
  });
});
