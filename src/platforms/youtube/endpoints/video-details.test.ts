import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { describe, expect, it, vi } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import type { EndpointParameters } from '../../platform.ts';
import { fakeSite, type Reply, type SeenRequest, type Surroundings } from '../../testing/fake-site.ts';
import { fields, list } from '../../values.ts';
import { createYoutube } from '../index.ts';

const ID = 'dQw4w9WgXcQ';
const details = {
  videoId: ID,
  title: 'Never',
  lengthSeconds: '212',
  channelId: 'UCuAXFkgsw1L7xaCfnd5JJOw',
  author: 'Rick',
  shortDescription: 'Words',
  viewCount: '1700000000',
  keywords: ['rick'],
};
const captionUrl = (language: string, rest = '') =>
  `https://www.youtube.com/api/timedtext?v=${ID}&expire=1780893730&xosf=1&lang=${language}${rest}`;
const captions = {
  playerCaptionsTracklistRenderer: {
    captionTracks: [
      {
        baseUrl: captionUrl('en', '&kind=asr'),
        languageCode: 'en',
        kind: 'asr',
        name: { simpleText: 'English (auto)' },
      },
      { baseUrl: captionUrl('en'), languageCode: 'en', name: { simpleText: 'English' }, isTranslatable: true },
      { baseUrl: captionUrl('pt-BR'), languageCode: 'pt-BR' },
      { baseUrl: 'https://evil.example/api/timedtext', languageCode: 'xx' },
    ],
    audioTracks: [{ captionTrackIndices: [0, 1, 2], defaultCaptionTrackIndex: 1 }],
  },
};
const link = 'https://rr1.googlevideo.com/videoplayback?expire=1780890130';
const streamingData = {
  adaptiveFormats: [
    {
      itag: 137,
      url: `${link}&itag=137`,
      mimeType: 'video/mp4; codecs="avc1.640028"',
      qualityLabel: '1080p',
      width: 1920,
      height: 1080,
      contentLength: '900',
    },
    {
      itag: 140,
      url: `${link}&itag=140`,
      mimeType: 'audio/mp4; codecs="mp4a.40.2"',
      averageBitrate: 129_000,
      contentLength: '100',
    },
  ],
};
const playable = { playabilityStatus: { status: 'OK' }, videoDetails: details, streamingData, captions };
const microformat = {
  playerMicroformatRenderer: {
    publishDate: '2009-10-24T23:57:33-07:00',
    category: 'Music',
    isFamilySafe: true,
    likeCount: '18000000',
    availableCountries: ['DE', 'FR'],
    ownerProfileUrl: 'http://www.youtube.com/@RickAstleyYT',
  },
};
const web = { playabilityStatus: { status: 'OK' }, videoDetails: details, microformat, captions };
const watch = { contents: { twoColumnWatchNextResults: {} } };

type Question = 'visitor' | 'VISIONOS' | 'ANDROID' | 'web' | 'watch' | 'captions' | 'hls';
type World = { readonly [Name in Question]?: Reply | ((request: SeenRequest) => Reply) };

function questionOf({ url, body }: SeenRequest): Question {
  const name = fields(fields(fields(body).context).client).clientName;
  if (url.pathname.endsWith('/visitor_id')) return 'visitor';
  if (url.pathname.endsWith('/next')) return 'watch';
  if (url.pathname === '/api/timedtext') return 'captions';
  if (url.hostname === 'manifest.googlevideo.com') return 'hls';
  return name === 'VISIONOS' || name === 'ANDROID' ? name : 'web';
}

const usual: World = {
  visitor: { body: { responseContext: { visitorData: 'V' } } },
  VISIONOS: { body: playable },
  ANDROID: { body: { playerResponse: playable } },
  web: { body: web },
  watch: { body: watch },
  captions: { body: { events: [{ tStartMs: 1, dDurationMs: 2, segs: [{ utf8: 'La' }] }] } },
};

function openWorld(world: World, parameters: EndpointParameters = {}, surroundings: Surroundings = {}) {
  const site = fakeSite((request) => {
    const reply = { ...usual, ...world }[questionOf(request)];
    return typeof reply === 'function' ? reply(request) : (reply ?? { status: 500, body: '' });
  }, surroundings);
  return { ...site, ask: () => extract(site.context, parameters), questions: () => site.seen.map(questionOf) };
}

async function extract(context: ReturnType<typeof fakeSite>['context'], parameters: EndpointParameters) {
  const endpoint = createYoutube().endpoints.find(({ path }) => path === '/video/details');
  if (endpoint === undefined) throw new Error('there is no such endpoint');
  return await endpoint.extract({ videoId: ID, ...parameters }, context);
}

const refusing = (status: string, reason: string) => ({ body: { playabilityStatus: { status, reason } } });
const unplayable = refusing('UNPLAYABLE', 'This video is not available');
const only = (...parts: string[]): Surroundings => ({ wanted: (part) => parts.includes(part) });

describe('the details of a video', () => {
  it('are asked for in one wait', async () => {
    const held: (() => void)[] = [];
    const waiting = new Set<Question>();
    const site = fakeSite(async (request) => {
      const question = questionOf(request);
      if (question !== 'visitor') {
        waiting.add(question);
        await new Promise<void>((resolve) => {
          held.push(resolve);
          // Nobody is answered before all have asked.
          if (waiting.size === 3) for (const release of held) release();
        });
      }
      const reply = usual[question];
      return typeof reply === 'object' ? reply : { status: 500, body: '' };
    });
    await extract(site.context, {});
    expect([...waiting].sort()).toEqual(['VISIONOS', 'watch', 'web']);
    expect(site.seen).toHaveLength(4);
  });

  it('are its media, its facts, and the languages of its transcript', async () => {
    const { ask } = openWorld({});
    const { contents, metadata, notes, linkNotes, incomplete } = await ask();
    expect(contents?.[0]?.videos?.map(({ item }) => [item.label, item.repId])).toEqual([['1080p', '137']]);
    expect(contents?.[0]?.audios?.map(({ item }) => item.label)).toEqual(['AAC 129 kbps']);
    expect(metadata).toMatchObject({
      title: 'Never',
      author: { id: details.channelId, name: 'Rick', handle: '@RickAstleyYT' },
      transcript: { languages: ['en', 'pt-BR'] },
      additionalData: {
        id: ID,
        duration: 212,
        description: 'Words',
        keywords: ['rick'],
        category: 'Music',
        publishedAt: '2009-10-24T23:57:33-07:00',
        statistics: { viewCount: 1_700_000_000, likeCount: 18_000_000 },
        captions: [
          { language: 'en', kind: 'auto', translatable: false, expiresAt: '2026-06-08T04:42:10.000Z' },
          { language: 'en', kind: 'manual', name: 'English' },
          { language: 'pt-BR', kind: 'manual' },
        ],
      },
    });
    expect(metadata.transcript).not.toHaveProperty('transcript');
    expect(notes).toEqual([]);
    expect(linkNotes).toEqual([expect.stringContaining('User-Agent "com.google.visionos')]);
    expect(incomplete).toBe(false);
  });

  it('are in the language of the caller, with counts that are parsed in English', async () => {
    const german = {
      ...web,
      videoDetails: { ...details, title: 'Niemals' },
      microformat: { playerMicroformatRenderer: { category: 'Musik' } },
    };
    const { ask, seen } = openWorld(
      { web: ({ body }) => ({ body: JSON.stringify(body).includes('"hl":"de"') ? german : web }) },
      { lang: 'de' },
    );
    expect((await ask()).metadata).toMatchObject({
      title: 'Niemals',
      additionalData: { category: 'Musik', statistics: { likeCount: 18_000_000 } },
    });
    expect(seen.filter((request) => questionOf(request) === 'VISIONOS')).toHaveLength(1);
  });

  it('leave unasked what is not wanted', async () => {
    const plain = openWorld(
      {},
      {},
      only('metadata', 'metadata.author', 'metadata.additionalData', 'metadata.transcript'),
    );
    const answer = await plain.ask();
    expect(plain.questions().sort()).toEqual(['watch', 'web']);
    expect(answer).not.toHaveProperty('contents');
    expect(answer.metadata).toMatchObject({ title: 'Never', transcript: { languages: ['en', 'pt-BR'] } });

    const media = openWorld({}, { getTranscript: 'true' }, only('contents', 'contents.videos'));
    expect((await media.ask()).metadata).not.toHaveProperty('transcript');
    expect(media.questions().sort()).toEqual(['VISIONOS', 'visitor', 'web']);

    const transcript = openWorld({}, { getTranscript: 'true' }, only('metadata', 'metadata.transcript'));
    expect(await transcript.ask()).not.toHaveProperty('contents');
    expect(transcript.questions().sort()).toEqual(['VISIONOS', 'captions', 'visitor', 'web']);
  });

  it('ask for media after all where the WEB player alone would not play', async () => {
    const world = openWorld({ web: unplayable }, {}, only('metadata', 'metadata.additionalData'));
    expect((await world.ask()).metadata.title).toBe('Never');
    expect(world.questions()).toContain('VISIONOS');
  });

  it('are those of the video that was asked for', async () => {
    const other = { ...playable, videoDetails: { ...details, videoId: 'aaaaaaaaaaa', title: 'Other' } };
    const { metadata, notes, linkNotes, incomplete } = await openWorld({
      VISIONOS: { body: other },
      web: { body: { ...web, ...other } },
    }).ask();
    expect(metadata.title).toBe('Never');
    expect(notes).toEqual([
      expect.stringMatching(/^Some qualities are missing: YouTube answered with another video/),
      expect.stringMatching(/^Some details are missing: YouTube answered with another video/),
    ]);
    expect(linkNotes).toEqual([expect.stringContaining('User-Agent "com.google.android')]);
    expect(incomplete).toBe(true);
    await expect(
      openWorld({ VISIONOS: { body: other }, ANDROID: { body: { playerResponse: other } } }).ask(),
    ).rejects.toMatchObject({ code: 'non_2xx_response', retryable: true });
  });

  it('have less in them where the page or the WEB player fails', async () => {
    const { metadata, contents, notes, incomplete } = await openWorld({
      web: { status: 503, body: '' },
      watch: { body: '<html>' },
    }).ask();
    expect(contents?.[0]?.videos).toHaveLength(1);
    expect(metadata).toMatchObject({ title: 'Never', additionalData: { statistics: { viewCount: 1_700_000_000 } } });
    expect(notes?.filter((note) => note.startsWith('Some details are missing'))).toHaveLength(2);
    expect(incomplete).toBe(true);
  });

  it('end with the time of the request', async () => {
    const late = new MillraceError('operation_timeout', 'Over.');
    await expect(openWorld({ watch: late }, {}, { signal: AbortSignal.abort(late) }).ask()).rejects.toBe(late);
  });
});

describe('the media of a video', () => {
  it('come from the next client where one does not play it', async () => {
    for (const [first, temporary] of [
      [unplayable, false],
      [{ status: 400, body: '' }, true],
      [{ body: { ...playable, streamingData: {} } }, false],
    ] as const) {
      const world = openWorld({ VISIONOS: first });
      const { contents, notes, incomplete } = await world.ask();
      expect(incomplete).toBe(temporary);
      expect(contents?.[0]?.videos?.[0]?.stream?.headers?.['user-agent']).toContain('com.google.android.youtube');
      expect(notes?.[0]).toMatch(/^Some qualities are missing/);
      const asked = world.seen.find((request) => questionOf(request) === 'ANDROID');
      expect(asked?.url.pathname).toBe('/youtubei/v1/reel/reel_item_watch');
      expect(asked?.url.searchParams.get('$fields')).toBe('playerResponse');
      expect(asked?.body).toMatchObject({ playerRequest: { videoId: ID }, disablePlayerResponse: false });
    }
  });

  it('are asked for as another visitor after a bot check', async () => {
    let asked = 0;
    const bot = refusing('LOGIN_REQUIRED', 'Sign in to confirm you’re not a bot');
    const site = fakeSite((request) => {
      if (questionOf(request) === 'visitor') asked += 1;
      const reply = { ...usual, VISIONOS: bot, ANDROID: { body: { playerResponse: bot.body } } }[questionOf(request)];
      return typeof reply === 'object' ? reply : { status: 500, body: '' };
    });
    const endpoint = createYoutube().endpoints.find(({ path }) => path === '/video/details');
    // Two clients have one each, and the first one another; the next request begins anew.
    for (const visitors of [3, 6]) {
      await expect(endpoint?.extract({ videoId: ID }, site.context)).rejects.toMatchObject({
        code: 'non_2xx_response',
        retryable: true,
        reason: 'Sign in to confirm you’re not a bot.',
      });
      expect(asked).toBe(visitors);
    }
  });

  it('come to a new visitor where the first one is taken for a bot', async () => {
    let asked = 0;
    const { ask, questions } = openWorld({
      VISIONOS: () => (++asked === 1 ? refusing('LOGIN_REQUIRED', 'Confirm you’re not a bot') : { body: playable }),
    });
    expect((await ask()).notes?.join()).not.toContain('missing');
    expect(questions().filter((question) => question === 'visitor')).toHaveLength(2);
    expect(questions()).not.toContain('ANDROID');
  });

  it('are not asked for again where a bot check took too long', async () => {
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    const { ask, questions } = openWorld({
      VISIONOS: () => {
        now += 5_001;
        return refusing('LOGIN_REQUIRED', 'Confirm you’re not a bot');
      },
    });
    await ask().finally(() => clock.mockRestore());
    expect(questions().filter((question) => question === 'VISIONOS')).toHaveLength(1);
    expect(questions()).toContain('ANDROID');
  });

  it.each<[string, Reply, string, readonly Question[]]>([
    ['an age gate', refusing('LOGIN_REQUIRED', 'Sign in to confirm your age'), 'age_restricted', []],
    ['a private video', refusing('LOGIN_REQUIRED', 'This video is private'), 'unavailable', []],
    ['members', refusing('UNPLAYABLE', "This video is available to this channel's members"), 'unavailable', []],
    ['nothing', refusing('ERROR', 'Video unavailable'), 'not_found', ['ANDROID']],
    ['an empty answer', { body: {} }, 'not_found', ['ANDROID']],
    ['429', { status: 429, body: '' }, 'non_2xx_response', ['ANDROID']],
    ['half an answer', { body: '{"playabilityStatus"' }, 'invalid_response_data', ['ANDROID']],
    ['no way through', new MillraceError('connection_error', 'Down.'), 'connection_error', ['ANDROID']],
  ])('are refused with %s', async (_name, reply, code, others) => {
    const android =
      reply instanceof Error || typeof reply.body === 'string' ? reply : { body: { playerResponse: reply.body } };
    const world = openWorld({ VISIONOS: reply, ANDROID: android });
    await expect(world.ask()).rejects.toMatchObject({ code });
    expect(world.questions().filter((question) => question === 'ANDROID')).toEqual(others);
  });

  it('are not taken for missing in an answer of a shape that is not known', async () => {
    await expect(openWorld({ VISIONOS: unplayable, ANDROID: { body: { player: {} } } }).ask()).rejects.toMatchObject({
      code: 'invalid_response_data',
    });
    await expect(openWorld({ VISIONOS: unplayable, ANDROID: { body: {} } }).ask()).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('stay behind an age gate that only the WEB player names', async () => {
    await expect(
      openWorld({ web: refusing('LOGIN_REQUIRED', 'Sign in to confirm your age') }).ask(),
    ).rejects.toMatchObject({
      code: 'age_restricted',
    });
  });

  it('are refused with the countries that have them', async () => {
    const closed = refusing('UNPLAYABLE', 'The uploader has not made this video available in your country');
    await expect(openWorld({ VISIONOS: closed }).ask()).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'The uploader has not made this video available in your country.',
      detail: { allowedCountries: ['DE', 'FR'] },
    });
  });

  it('are none before it begins', async () => {
    const offlineSlate = { liveStreamOfflineSlateRenderer: { scheduledStartTime: '1677592800' } };
    const status = {
      status: 'LIVE_STREAM_OFFLINE',
      reason: 'Premieres in 18 hours',
      liveStreamability: { liveStreamabilityRenderer: { offlineSlate } },
    };
    const upcoming = { playabilityStatus: status, videoDetails: { ...details, isUpcoming: true } };
    const { contents, metadata } = await openWorld({ VISIONOS: { body: upcoming } }).ask();
    expect(contents).toEqual([{ unrenderable: 'The video is not on air. Premieres in 18 hours' }]);
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
  const rung = (itag: number, height: number, fps: number) =>
    `#EXT-X-STREAM-INF:BANDWIDTH=${height * 3_000},CODECS="mp4a.40.2,avc1.4D401F",` +
    `RESOLUTION=${(height * 16) / 9}x${height},FRAME-RATE=${fps}\n` +
    `https://manifest.googlevideo.com/api/manifest/hls_playlist/expire/1780890130/itag/${itag}/index.m3u8\n`;
  const master = `#EXTM3U\n${rung(93, 360, 30)}${rung(301, 1080, 60)}`;

  it('is its playlists, the largest first, and nothing that could be rendered', async () => {
    const world = openWorld({ VISIONOS: { body: live }, hls: { body: master } });
    const { contents, metadata } = await world.ask();
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
    expect(world.seen.at(-1)?.headers['user-agent']).toContain('visionos');
  });

  it('is its master playlist where that cannot be read', async () => {
    for (const hls of [
      { status: 403, body: '' },
      { body: '#EXTM3U\n' },
      new MillraceError('operation_timeout', 'Late.'),
    ]) {
      const { contents, notes } = await openWorld({ VISIONOS: { body: live }, hls }).ask();
      expect(contents?.[0]?.videos?.map(({ item }) => [item.label, item.url])).toEqual([['hls', hlsManifestUrl]]);
      expect(notes?.[0]).toMatch(/^Some qualities are missing/);
    }
  });

  it('that is over can be rendered from its playlists', async () => {
    const over = { ...live, videoDetails: { ...details, isLive: false, lengthSeconds: '100' } };
    const [content] = (await openWorld({ VISIONOS: { body: over }, hls: { body: master } }).ask()).contents ?? [];
    expect(content).not.toHaveProperty('unrenderable');
    expect(content?.videos?.[0]?.stream).toMatchObject({ estimatedBytes: 40_500_000 });
  });
});

describe('the transcript of a video', () => {
  const transcript = async (parameters: EndpointParameters, world: World = {}) => {
    const opened = openWorld(world, { getTranscript: 'true', ...parameters });
    const { metadata, contents } = await opened.ask();
    expect(contents?.[0]?.videos).toHaveLength(1);
    const asked = opened.seen.find((request) => questionOf(request) === 'captions');
    return { transcript: metadata.transcript, query: asked && Object.fromEntries(asked.url.searchParams) };
  };

  it('is that of the primary track', async () => {
    const found = await transcript({});
    expect(found.transcript).toEqual({
      languages: ['en', 'pt-BR'],
      selectedLanguage: 'en',
      transcript: {
        language: 'en',
        kind: 'manual',
        name: 'English',
        segments: [{ startMs: 1, durationMs: 2, text: 'La' }],
      },
    });
    expect(found.query).toEqual({ v: ID, expire: '1780893730', lang: 'en', fmt: 'json3' });
  });

  it('is that of the language asked for', async () => {
    expect((await transcript({ transcriptLanguage: 'PT-br' })).transcript).toMatchObject({ selectedLanguage: 'pt-BR' });
  });

  it('names the languages there are', async () => {
    const { transcript: info, query } = await transcript({ transcriptLanguage: 'de' });
    expect(info).toEqual({
      languages: ['en', 'pt-BR'],
      error: 'There is no transcript in "de". Available languages: en, pt-BR.',
    });
    expect(query).toBeUndefined();
    const silent = { VISIONOS: { body: { ...playable, captions: undefined } } };
    expect((await transcript({}, silent)).transcript).toMatchObject({ selectedLanguage: 'en' });
    const none = { ...silent, web: { body: { ...web, captions: undefined } } };
    expect((await transcript({}, none)).transcript).toEqual({ languages: [], error: 'The video has no transcript.' });
  });

  it.each<[string, Reply, RegExp]>([
    ['an empty body', { body: '' }, /turned the request/],
    ['a status', { status: 429, body: '' }, /status 429/],
    ['a page', { body: '<html>' }, /no transcript that can be read/],
    ['no answer', new MillraceError('operation_timeout', 'Too slow.'), /Too slow/],
  ])('fails with %s, and the answer does not', async (_name, reply, words) => {
    const { transcript: info } = await transcript({}, { captions: reply });
    expect(info).toEqual({ languages: ['en', 'pt-BR'], selectedLanguage: 'en', error: expect.stringMatching(words) });
  });

  it('is not asked for where its link answers nobody', async () => {
    const locked = {
      playerCaptionsTracklistRenderer: {
        captionTracks: [{ baseUrl: captionUrl('en', '&exp=xpe'), languageCode: 'en' }],
      },
    };
    const found = await transcript({}, { VISIONOS: { body: { ...playable, captions: locked } } });
    expect(found.transcript).toMatchObject({ error: expect.stringContaining('own players only') });
    expect(found.query).toBeUndefined();
  });
});

it('takes the formats and parts of the contract, and no others', () => {
  const { properties } = createYoutube().endpoints.find(({ path }) => path === '/video/details')?.parameters ?? {};
  const takes = (name: string, ...values: string[]) => Check(fields(properties)[name] as TSchema, values);
  const labels = '144p 240p 360p 480p 720p 720p60 1080p 1080p60 1440p 1440p60 2160p 2160p60 lowres all_highres 720p50';
  expect(takes('renderableFormats', ...labels.split(' '), '1080p60 HDR', '2160p HDR')).toBe(true);
  for (const wrong of ['1080', '333p', '1080pHDR', '1080p HDR2', 'hls-720'])
    expect(takes('renderableFormats', wrong)).toBe(false);
  expect(takes('fields', 'contents', '-contents.audios', 'metadata.transcript')).toBe(true);
  expect(takes('fields', 'contents.text')).toBe(false);
});

it('has every wait end within the time of a request', async () => {
  const timeouts: Record<string, number[]> = {};
  const world = openWorld({});
  const { source } = world.context;
  const watched = (question: Question, timeout: number | undefined) => {
    timeouts[question] = [...list(timeouts[question]).map(Number), timeout ?? 10_000];
  };
  await extract(
    {
      ...world.context,
      source: {
        get: (url, options) => {
          watched('captions', options?.timeout);
          return source.get(url, options);
        },
        post: (url, body, options) => {
          const seen = { url: new URL(url), body, country: undefined, headers: {} };
          watched(questionOf(seen), options?.timeout);
          return source.post(url, body, options);
        },
      },
    },
    { getTranscript: 'true' },
  );
  const [visitor = 0] = timeouts.visitor ?? [];
  const [player = 0] = timeouts.VISIONOS ?? [];
  const [captionsLimit = 0] = timeouts.captions ?? [];
  expect(2 * (visitor + player) + captionsLimit).toBeLessThanOrEqual(25_000);
});
