import { fields } from '../../../parsing/values.ts';
import type { EndpointParameters } from '../../platform.ts';
import { fakeSite, type Reply, type SeenRequest, type Surroundings } from '../../testing/fake-site.ts';
import { createYoutube } from '../index.ts';

// Shared by the tests of video details: a site with one video.

export const ID = 'dQw4w9WgXcQ';
export const details = {
  videoId: ID,
  title: 'Never',
  lengthSeconds: '212',
  channelId: 'UCuAXFkgsw1L7xaCfnd5JJOw',
  author: 'Rick',
  shortDescription: 'Words',
  viewCount: '1700000000',
  keywords: ['rick'],
};
export const captionUrl = (language: string, rest = '') =>
  `https://www.youtube.com/api/timedtext?v=${ID}&expire=1780893730&xosf=1&lang=${language}${rest}`;
export const captions = {
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
export const link = 'https://rr1.googlevideo.com/videoplayback?expire=1780890130';
export const streamingData = {
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
export const playable = { playabilityStatus: { status: 'OK' }, videoDetails: details, streamingData, captions };
export const microformat = {
  playerMicroformatRenderer: {
    publishDate: '2009-10-24T23:57:33-07:00',
    category: 'Music',
    isFamilySafe: true,
    likeCount: '18000000',
    availableCountries: ['DE', 'FR'],
    ownerProfileUrl: 'http://www.youtube.com/@RickAstleyYT',
  },
};
export const web = { playabilityStatus: { status: 'OK' }, videoDetails: details, microformat, captions };
export const watch = { contents: { twoColumnWatchNextResults: {} } };

export type RequestKind = 'visitor' | 'VISIONOS' | 'ANDROID' | 'web' | 'watch' | 'captions' | 'hls';
export type VideoSiteReplies = { readonly [Name in RequestKind]?: Reply | ((request: SeenRequest) => Reply) };

export function requestKindOf({ url, body }: SeenRequest): RequestKind {
  const name = fields(fields(fields(body).context).client).clientName;
  if (url.pathname.endsWith('/visitor_id')) return 'visitor';
  if (url.pathname.endsWith('/next')) return 'watch';
  if (url.pathname === '/api/timedtext') return 'captions';
  if (url.hostname === 'manifest.googlevideo.com') return 'hls';
  return name === 'VISIONOS' || name === 'ANDROID' ? name : 'web';
}

export const defaultReplies: VideoSiteReplies = {
  visitor: { body: { responseContext: { visitorData: 'V' } } },
  VISIONOS: { body: playable },
  ANDROID: { body: { playerResponse: playable } },
  web: { body: web },
  watch: { body: watch },
  captions: { body: { events: [{ tStartMs: 1, dDurationMs: 2, segs: [{ utf8: 'La' }] }] } },
};

export function openVideoSite(
  replies: VideoSiteReplies,
  parameters: EndpointParameters = {},
  surroundings: Surroundings = {},
) {
  const site = fakeSite((request) => {
    const reply = { ...defaultReplies, ...replies }[requestKindOf(request)];
    return typeof reply === 'function' ? reply(request) : (reply ?? { status: 500, body: '' });
  }, surroundings);
  return {
    ...site,
    extract: () => extract(site.context, parameters),
    requestKinds: () => site.requests.map(requestKindOf),
  };
}

export async function extract(context: ReturnType<typeof fakeSite>['context'], parameters: EndpointParameters) {
  const endpoint = createYoutube().endpoints.find(({ path }) => path === '/video/details');
  if (endpoint === undefined) throw new Error('no such endpoint');
  return await endpoint.extract({ videoId: ID, ...parameters }, context);
}

export const playabilityRefusal = (status: string, reason: string) => ({
  body: { playabilityStatus: { status, reason } },
});
export const unplayable = playabilityRefusal('UNPLAYABLE', 'This video is not available');
export const onlyParts = (...parts: string[]): Surroundings => ({ requestsPart: (part) => parts.includes(part) });
