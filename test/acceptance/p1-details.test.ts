import { describe, expect, inject, test } from 'vitest';
import { titleText } from '../../lab/platforms/headlines.ts';
import type { Result } from '../support/envelope.ts';
import { extract } from '../support/http-client.ts';
import { findRequests } from '../support/lab-client.ts';

const service = inject('serviceUrl');

interface Segment {
  readonly startMs: number;
  readonly durationMs: number;
  readonly text: string;
}

interface Transcript {
  readonly languages: readonly string[];
  readonly selectedLanguage?: string;
  readonly transcript?: { readonly language: string; readonly kind: string; readonly segments: readonly Segment[] };
  readonly error?: string;
}

const details = (query: string) => extract<Result>(`${service}/p1/v3/video/details?${query}`);
const transcriptOf = async (query: string) => (await details(query)).body.metadata.transcript as Transcript;

/** The titles that a documented video of the lab can have: its channel is about one of two topics. */
const possibleTitles = (videoId: string) =>
  (['bridges', 'clocks'] as const).map((topic) => titleText(topic, videoId, 'en'));

describe('GET /p1/v3/video/details', () => {
  test('returns the media', async () => {
    const { status, body } = await details('videoId=lab-plain30');
    expect([status, body.error]).toEqual([200, null]);
    expect(body.contents).toHaveLength(1);
    const { videos = [], audios = [] } = body.contents?.[0] ?? {};
    expect(videos.map(({ label }) => label)).toEqual(['1080p', '720p', '360p', '360p', '144p']);
    expect(audios).toHaveLength(2);
    for (const item of [...videos, ...audios]) {
      expect(item.url).toMatch(/^https:\/\/[\w-]+\.googlevideo\.com\//);
      expect(item.metadata).toMatchObject({
        mime_type: expect.stringMatching(/^(?:video|audio)\/(?:mp4|webm); codecs="/),
        content_length: expect.any(Number),
        content_length_text: expect.stringMatching(/^\d+(?:\.\d+)? [KM]B$/),
        bitrate: expect.any(Number),
        duration_ms: 30_000,
        expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
      });
    }
    expect(new Set([...videos, ...audios].map(({ repId }) => repId)).size).toBe(7);
    expect(videos[0]?.metadata).toMatchObject({ width: 1920, height: 1080, fps: 25, has_audio: false, is_hdr: false });
    expect(audios[0]?.metadata).toMatchObject({ has_audio: true, audio_channels: 2, codecs: 'mp4a.40.2' });
    expect(body.contents?.[0]).not.toHaveProperty('renderableVideos');
    expect(body.notes?.join('\n')).toMatch(/User-Agent/);
  });

  test.each(['lab-plain30', 'lab-old-30s'])('returns the details of the page: %s', async (videoId) => {
    const { metadata } = (await details(`videoId=${videoId}`)).body;
    expect(metadata).toMatchObject({
      title: expect.toSatisfy((title) => possibleTitles(videoId).includes(title)),
      thumbnailUrl: expect.stringMatching(/^https:\/\/i\.ytimg\.com\//),
      author: {
        id: expect.stringMatching(/^UC/),
        name: expect.any(String),
        url: expect.stringMatching(/^https:\/\/www\.youtube\.com\/channel\/UC/),
        thumbnails: expect.any(Array),
        subscriberCount: expect.any(Number),
      },
      transcript: { languages: ['en', 'de'] },
      additionalData: {
        id: videoId,
        type: 'video',
        duration: 30,
        isShort: false,
        isLive: false,
        isUpcoming: false,
        description: expect.any(String),
        keywords: expect.any(Array),
        category: 'Education',
        publishedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        statistics: { viewCount: expect.any(Number), likeCount: expect.any(Number), commentCount: expect.any(Number) },
        captions: [
          { language: 'en', kind: 'manual' },
          { language: 'de', kind: 'manual' },
          { language: 'en', kind: 'auto' },
        ],
        storyboards: expect.any(Array),
      },
    });
    const related = metadata.additionalData?.related as { type: string; id: string; title: string }[];
    expect(related.length).toBeGreaterThan(9);
    for (const one of related) expect(one).toMatchObject({ type: expect.any(String), id: expect.any(String) });
  });

  test('returns chapters', async () => {
    const { additionalData } = (await details('videoId=lab-chapter&fields=metadata')).body.metadata;
    expect(additionalData?.chapters).toMatchObject([
      { title: 'Start', startMs: 0 },
      { title: 'Middle', startMs: 10_000 },
      { title: 'End', startMs: 20_000 },
    ]);
  });

  test('returns every collaborator', async () => {
    const { additionalData } = (await details('videoId=lab-collab2&fields=metadata')).body.metadata;
    expect(additionalData?.collaborators).toMatchObject([{ handle: '@thelab' }, { handle: '@harbours6' }]);
  });

  test('marks a short, and omits hidden likes', async () => {
    const [short, hidden] = await Promise.all(
      ['lab-a-short', 'lab-no-like'].map((videoId) => details(`videoId=${videoId}&fields=metadata`)),
    );
    expect(short?.body.metadata.additionalData).toMatchObject({ isShort: true });
    expect(hidden?.body.metadata.additionalData?.statistics).not.toHaveProperty('likeCount');
  });

  test('lists each audio track of a dubbed video', async () => {
    const { body } = await details('videoId=lab-dubbed1&fields=contents.audios');
    const languages = body.contents?.[0]?.audios?.map(({ metadata }) => metadata.language);
    expect(languages).toEqual(['en', 'de', 'fr', 'en', 'de', 'fr']);
  });

  test('labels a quality with its frame rate and its dynamic range', async () => {
    const [fast, bright] = await Promise.all(
      ['lab-60fps-1', 'lab-hdr-vp9'].map((videoId) => details(`videoId=${videoId}&fields=contents`)),
    );
    expect(fast?.body.contents?.[0]?.videos?.map(({ label }) => label)).toContain('720p60');
    const hdr = bright?.body.contents?.[0]?.videos?.find(({ label }) => label === '360p HDR');
    expect(hdr?.metadata).toMatchObject({ is_hdr: true });
  });

  test('returns a live stream as playlists', async () => {
    const { body } = await details('videoId=lab-live-on&renderableFormats=highres');
    expect(body.contents?.[0]?.videos?.map(({ metadata }) => metadata.mime_type)).toEqual(
      Array(3).fill('application/vnd.apple.mpegurl'),
    );
    expect(body.contents?.[0]?.renderableVideos).toEqual([
      { label: 'highres', error: expect.stringMatching(/live stream/) },
    ]);
    expect(body.metadata.additionalData).toMatchObject({
      isLive: true,
      live: { startedAt: expect.any(String) },
      statistics: { viewerCount: expect.any(Number) },
    });
    expect(body.notes?.join()).toContain('1 credit.');
  });

  test('returns when a stream will begin, and when a past one ran', async () => {
    const coming = (await details('videoId=lab-live-up&renderableFormats=lowres')).body;
    expect(coming.error).toBeNull();
    expect(coming.contents?.[0]).not.toHaveProperty('videos');
    expect(coming.contents?.[0]?.renderableVideos).toEqual([
      { label: 'lowres', error: expect.stringContaining('will begin') },
    ]);
    const { isUpcoming, live } = coming.metadata.additionalData ?? {};
    expect([isUpcoming, live]).toEqual([true, { scheduledAt: expect.stringMatching(/Z$/) }]);
    const over = (await details('videoId=lab-live-ex')).body;
    expect(over.contents?.[0]?.videos).toHaveLength(5);
    expect(over.metadata.additionalData).toMatchObject({ isLive: false, live: { endedAt: expect.any(String) } });
  });

  test('works without the page or without the details, and adds a note', async () => {
    for (const videoId of ['lab-next503', 'lab-web-503']) {
      const { body } = await details(`videoId=${videoId}`);
      expect([body.error, body.contents?.[0]?.videos?.length]).toEqual([null, 5]);
      expect(possibleTitles(videoId)).toContain(body.metadata.title);
      expect(body.notes?.[0]).toMatch(/^Some details are missing: .*503/);
    }
  });

  test('sends another request as a different client when one does not play the video, and adds a note', async () => {
    const { body } = await details('videoId=lab-kids-00');
    expect(body.contents?.[0]?.videos?.map(({ label }) => label)).toEqual(['360p']);
    expect(body.notes?.[0]).toMatch(/^Some qualities are missing: .*This video is not available\./);
  });

  test('returns text in the language of lang, and counts and dates unchanged', async () => {
    const [english, german] = await Promise.all([
      details('videoId=lab-plain30'),
      details('videoId=lab-plain30&lang=DE'),
    ]);
    expect(german?.body.metadata.title).toMatch(/^Die letzten Brücken/);
    expect(english?.body.metadata.title).toMatch(/^The last bridges/);
    expect(german?.body.metadata.additionalData?.statistics).toMatchObject({ viewCount: 50, likeCount: 3 });
    expect(german?.body.metadata.additionalData?.publishedAt).toBe(english?.body.metadata.additionalData?.publishedAt);
  });

  test('returns an error for a countryCode without an exit', async () => {
    const { status, body } = await details('videoId=lab-plain30&countryCode=fr');
    expect([status, body.error?.code]).toEqual([200, 'unsupported_proxy_for_geo_targeting']);
    expect((await details('videoId=lab-plain30&countryCode=worldwide')).body.error).toBeNull();
  });
});

describe('the transcript', () => {
  test('is the primary track when no language is given', async () => {
    const transcript = await transcriptOf('videoId=lab-plain30&getTranscript=true');
    expect(transcript).toMatchObject({ languages: ['en', 'de'], selectedLanguage: 'en' });
    expect(transcript.transcript).toMatchObject({ language: 'en', kind: 'manual' });
    expect(transcript.transcript?.segments).toHaveLength(15);
    expect(transcript.transcript?.segments[1]).toEqual({ startMs: 2000, durationMs: 2000, text: '[en] Line 2' });
  });

  test('is returned in a listed language, in any letter case', async () => {
    const transcript = await transcriptOf('videoId=lab-plain30&getTranscript=true&transcriptLanguage=DE');
    expect(transcript.selectedLanguage).toBe('de');
    expect(transcript.transcript?.segments[0]?.text).toBe('[de] Line 1');
  });

  test.each(['', '&getTranscript=false', '&transcriptLanguage=de'])(
    'is not returned unless requested: %s',
    async (query) => {
      expect(await transcriptOf(`videoId=lab-plain30${query}`)).toEqual({ languages: ['en', 'de'] });
    },
  );

  test.each([
    ['in a missing language', 'lab-plain30&transcriptLanguage=xx', /"xx".*en, de/],
    ['of a video without captions', 'lab-capt-no', /no transcript/],
    ['with an empty response of the site', 'lab-captxpe', /only to its own players/],
  ])('%s has an error beside a successful result', async (_name, query, reason) => {
    const { body } = await details(`videoId=${query}&getTranscript=true`);
    expect(body.error).toBeNull();
    expect(body.contents?.[0]?.videos).toHaveLength(5);
    const { error, transcript } = body.metadata.transcript as Transcript;
    expect(error).toMatch(reason);
    expect(transcript).toBeUndefined();
  });
});

describe('fields=', () => {
  const membersOf = async (fields: string) => {
    const { body } = await details(`videoId=lab-plain30&renderableFormats=lowres&fields=${fields}`);
    expect(body.error).toBeNull();
    return [body.contents && Object.keys(body.contents[0] ?? {}).sort(), Object.keys(body.metadata).sort()];
  };
  const media = ['audios', 'renderableVideos', 'videos'];
  const facts = ['additionalData', 'author', 'thumbnailUrl', 'title', 'transcript'];

  test.each([
    ['', media, facts],
    ['contents,metadata', media, facts],
    ['contents', media, []],
    ['metadata', undefined, facts],
    ['contents.videos', ['videos'], []],
    ['contents.audios,metadata.author', ['audios'], ['author', 'thumbnailUrl', 'title']],
    ['contents.renderableVideos', ['renderableVideos'], []],
    ['metadata.transcript', undefined, ['thumbnailUrl', 'title', 'transcript']],
    ['metadata.additionalData', undefined, ['additionalData', 'thumbnailUrl', 'title']],
    ['-contents', undefined, facts],
    ['-metadata', media, []],
    ['-contents.videos,-metadata.transcript', ['audios', 'renderableVideos'], facts.slice(0, -1)],
    ['contents,-contents.audios', ['renderableVideos', 'videos'], []],
    ['metadata,-metadata.author', undefined, facts.filter((name) => name !== 'author')],
  ])('%s', async (fields, contents, metadata) => {
    expect(await membersOf(fields)).toEqual([contents, metadata]);
  });

  test.each(['comments', 'playlist', 'channel', 'post', 'hashtag'])('metadata.%s is accepted', async (name) => {
    expect(await membersOf(`metadata.${name}`)).toEqual([undefined, ['thumbnailUrl', 'title']]);
  });

  test('-contents prepares no links', async () => {
    const requestedVideos = async () => {
      const requests = await findRequests(inject('labUrl'), { host: 'youtubei.googleapis.com' });
      return requests.filter(({ body }) => body.includes('lab-no-talk'));
    };
    expect((await details('videoId=lab-no-talk&fields=-contents&renderableFormats=all')).body.error).toBeNull();
    expect(await requestedVideos()).toEqual([]);
    expect((await details('videoId=lab-no-talk&fields=contents')).body.error).toBeNull();
    expect(await requestedVideos()).toHaveLength(1);
  });
});

describe('the credit price', () => {
  test.each([
    ['', 1],
    ['&urlAccess=normal', 1],
    ['&urlAccess=proxied', 2],
    ['&renderableFormats=lowres', 2],
    ['&urlAccess=proxied&renderableFormats=all', 2],
    ['&renderableFormats=2160p', 1],
    ['&fields=-contents&renderableFormats=lowres', 1],
  ])('of %s is %i', async (query, credits) => {
    const { body } = await details(`videoId=lab-plain30${query}`);
    expect(body.notes?.at(-1)).toBe(`This request cost ${credits} credit${credits === 1 ? '' : 's'}.`);
  });
});

describe('a refused video', () => {
  test.each([
    ['lab-private', 'unavailable', 'This video is private.'],
    ['lab-removed', 'not_found', 'removed by the uploader'],
    ['lab-account', 'not_found', 'terminated'],
    ['lab-agegate', 'age_restricted', 'confirm your age'],
    ['lab-members', 'unavailable', "this channel's members"],
    ['lab-premium', 'unavailable', 'Music Premium'],
    ['lab-payfilm', 'unavailable', 'requires payment'],
    ['lab-sign-in', 'signin_required', 'Please sign in'],
    ['lab-botwall', 'non_2xx_response', 'not a bot'],
    ['lab-geo-fr1', 'unavailable', 'in your country'],
    ['lab-geo-us0', 'unavailable', 'in your country'],
    ['lab-sabr-00', 'unavailable', undefined],
    ['lab-wrongid', 'invalid_response_data', undefined],
    ['lab-unknown', 'not_found', undefined],
    ['AAAAAAAAAAA', 'not_found', undefined],
    ['lab-http429', 'non_2xx_response', undefined],
    ['lab-http503', 'non_2xx_response', undefined],
    ['lab-is-html', 'non_2xx_response', undefined],
    ['lab-is-void', 'non_2xx_response', undefined],
    ['lab-is-half', 'invalid_response_data', undefined],
    ['lab-is-huge', 'invalid_response_data', undefined],
    ['lab-is-deep', 'invalid_response_data', undefined],
    ['lab-is-slow', 'operation_timeout', undefined],
  ])('%s returns %s', async (videoId, code, words) => {
    const { status, body } = await details(`videoId=${videoId}&getTranscript=true&renderableFormats=all`);
    expect(status).toBe(200);
    const temporary = ['non_2xx_response', 'invalid_response_data', 'operation_timeout'].includes(code);
    expect(body.error).toMatchObject({ code, retryable: temporary, statusCode: expect.any(Number) });
    if (words === undefined) expect(body.error).not.toHaveProperty('reason');
    else {
      expect(body.error?.reason).toContain(words);
      expect(body.error?.message).toContain(words);
    }
    expect(body).toMatchObject({ contents: [], metadata: {} });
  });

  test.each(['lab-private', 'lab-removed', 'lab-agegate', 'lab-is-deep', 'lab-http429'])(
    '%s is refused for any requested fields',
    async (videoId) => {
      const whole = (await details(`videoId=${videoId}`)).body.error;
      for (const fields of ['metadata', 'contents', 'metadata.author', 'metadata.transcript']) {
        expect((await details(`videoId=${videoId}&fields=${fields}`)).body.error?.code).toBe(whole?.code);
      }
    },
  );

  test('that is limited to other countries lists them', async () => {
    const { body } = await details('videoId=lab-geo-fr1');
    expect(body.error?.allowedCountries).toEqual(['FR', 'BE']);
  });

  test.each([
    ['', 'params_not_found', 'videoId'],
    ['videoId=', 'params_not_found', 'videoId'],
    ['videoId=tooshort', 'invalid_params', 'videoId'],
    ['videoId=lab-plain30x', 'invalid_params', 'videoId'],
    ['videoId=lab+plain30', 'invalid_params', 'videoId'],
    ['videoId=lab-plain3%00', 'invalid_params', 'videoId'],
    ['videoId=https://youtu.be/short', 'invalid_url', 'videoId'],
    ['videoId=lab-plain30&videoId=lab-min-002', 'invalid_params', 'videoId'],
    ['videoId=lab-plain30&renderableFormats=huge', 'invalid_params', 'renderableFormats'],
    ['videoId=lab-plain30&renderableFormats=720', 'invalid_params', 'renderableFormats'],
    ['videoId=lab-plain30&urlAccess=direct', 'invalid_params', 'urlAccess'],
    ['videoId=lab-plain30&getTranscript=yes', 'invalid_params', 'getTranscript'],
    [`videoId=lab-plain30&transcriptLanguage=${'x'.repeat(51)}`, 'invalid_params', 'transcriptLanguage'],
    ['videoId=lab-plain30&fields=contents.text', 'invalid_params', 'fields'],
    ['videoId=lab-plain30&countryCode=zz', 'invalid_params', 'countryCode'],
    ['videoId=lab-plain30&lang=german', 'invalid_params', 'lang'],
  ])('?%s returns 400 %s, naming %s', async (query, code, parameter) => {
    const { status, body } = await details(query);
    expect([status, body.error?.code, body.error?.parameter]).toEqual([400, code, parameter]);
    expect(body.error?.message).toContain(parameter);
    expect(body).toMatchObject({ contents: [], metadata: {} });
  });
});
