import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import { fields, list } from '../../../parsing/values.ts';
import type { EndpointParameters } from '../../platform.ts';
import type { Reply } from '../../testing/fake-site.ts';
import { createYoutube } from '../index.ts';
import {
  captionUrl,
  extract,
  ID,
  openVideoSite,
  playable,
  type RequestKind,
  requestKindOf,
  type VideoSiteReplies,
  web,
} from '../testing/video-site.ts';

describe('video transcripts', () => {
  const transcript = async (parameters: EndpointParameters, replies: VideoSiteReplies = {}) => {
    const site = openVideoSite(replies, { getTranscript: 'true', ...parameters });
    const { metadata, contents } = await site.extract();
    expect(contents?.[0]?.videos).toHaveLength(1);
    const captionsRequest = site.requests.find((request) => requestKindOf(request) === 'captions');
    return {
      transcript: metadata.transcript,
      query: captionsRequest && Object.fromEntries(captionsRequest.url.searchParams),
    };
  };

  it('contain the primary track by default', async () => {
    const result = await transcript({});
    expect(result.transcript).toEqual({
      languages: ['en', 'pt-BR'],
      selectedLanguage: 'en',
      transcript: {
        language: 'en',
        kind: 'manual',
        name: 'English',
        segments: [{ startMs: 1, durationMs: 2, text: 'La' }],
      },
    });
    expect(result.query).toEqual({ v: ID, expire: '1780893730', lang: 'en', fmt: 'json3' });
  });

  it('contain the requested language', async () => {
    expect((await transcript({ transcriptLanguage: 'PT-br' })).transcript).toMatchObject({ selectedLanguage: 'pt-BR' });
  });

  it('list the available languages', async () => {
    const { transcript: info, query } = await transcript({ transcriptLanguage: 'de' });
    expect(info).toEqual({
      languages: ['en', 'pt-BR'],
      error: 'The video has no transcript in "de". Available languages: en, pt-BR.',
    });
    expect(query).toBeUndefined();
    const silent = { VISIONOS: { body: { ...playable, captions: undefined } } };
    expect((await transcript({}, silent)).transcript).toMatchObject({ selectedLanguage: 'en' });
    const none = { ...silent, web: { body: { ...web, captions: undefined } } };
    expect((await transcript({}, none)).transcript).toEqual({ languages: [], error: 'The video has no transcript.' });
  });

  it.each<[string, Reply, RegExp]>([
    ['an empty body', { body: '' }, /rejected the request/],
    ['a status', { status: 429, body: '' }, /status 429/],
    ['a page', { body: '<html>' }, /a transcript that cannot be read/],
    ['no response', new MillraceError('operation_timeout', 'Too slow.'), /Too slow/],
  ])('report an error for %s without failing the response', async (_name, reply, words) => {
    const { transcript: info } = await transcript({}, { captions: reply });
    expect(info).toEqual({ languages: ['en', 'pt-BR'], selectedLanguage: 'en', error: expect.stringMatching(words) });
  });

  it("are not requested when the link only works in the site's player", async () => {
    const captions = {
      playerCaptionsTracklistRenderer: {
        captionTracks: [{ baseUrl: captionUrl('en', '&exp=xpe'), languageCode: 'en' }],
      },
    };
    const result = await transcript({}, { VISIONOS: { body: { ...playable, captions } } });
    expect(result.transcript).toMatchObject({ error: expect.stringContaining('only to its own players') });
    expect(result.query).toBeUndefined();
  });
});

it('accept only the formats and parts of the contract', () => {
  const { properties } = createYoutube().endpoints.find(({ path }) => path === '/video/details')?.parameters ?? {};
  const takes = (name: string, ...values: string[]) => Check(fields(properties)[name] as TSchema, values);
  const labels = '144p 240p 360p 480p 720p 720p60 1080p 1080p60 1440p 1440p60 2160p 2160p60 lowres all_highres 720p50';
  expect(takes('renderableFormats', ...labels.split(' '), '1080p60 HDR', '2160p HDR')).toBe(true);
  for (const wrong of ['1080', '333p', '1080pHDR', '1080p HDR2', 'hls-720'])
    expect(takes('renderableFormats', wrong)).toBe(false);
  expect(takes('fields', 'contents', '-contents.audios', 'metadata.transcript')).toBe(true);
  expect(takes('fields', 'contents.text')).toBe(false);
});

it('keep every timeout within the time of a request', async () => {
  const timeouts: Record<string, number[]> = {};
  const site = openVideoSite({});
  const { source } = site.context;
  const recordTimeout = (kind: RequestKind, timeout: number | undefined) => {
    timeouts[kind] = [...list(timeouts[kind]).map(Number), timeout ?? 10_000];
  };
  await extract(
    {
      ...site.context,
      source: {
        get: (url, options) => {
          recordTimeout('captions', options?.timeout);
          return source.get(url, options);
        },
        post: (url, body, options) => {
          const request = { url: new URL(url), body, country: undefined, headers: {} };
          recordTimeout(requestKindOf(request), options?.timeout);
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
