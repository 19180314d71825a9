import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { type Fields, fields } from '../../parsing/values.ts';
import { startCpuClock } from '../../testing/cpu-clock.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import { fakeSite } from '../testing/fake-site.ts';
import { createYoutube } from './index.ts';
import { readAbout } from './parse/channel-about.ts';
import { readChannelDetails } from './parse/channel-details.ts';
import { readChannelHeader } from './parse/channel-header.ts';
import { readCommentPage } from './parse/comments/comment-page.ts';
import { readHashtagInfo } from './parse/hashtag-info.ts';
import { readPage } from './parse/item-list.ts';
import { itemReaders } from './parse/items/item-readers.ts';
import { readMixPanel } from './parse/mix-panel.ts';
import { readCaptions } from './parse/player/captions.ts';
import { readMedia } from './parse/player/media.ts';
import { readPlayability } from './parse/player/playability.ts';
import { readStreams } from './parse/player/streams.ts';
import { readPlaylistInfo } from './parse/playlist-info.ts';
import { readSearchInfo } from './parse/search-info.ts';
import { readRuns } from './parse/text.ts';
import { readVideoMetadata } from './parse/video-metadata.ts';
import { readRelated } from './parse/watch/watch-page.ts';
import { recordingsOf } from './testing/recordings.ts';

const names = [
  ...[
    'contents',
    'items',
    'runs',
    'text',
    'simpleText',
    'content',
    'title',
    'thumbnail',
    'thumbnails',
    'sources',
    'url',
  ],
  ...['videoId', 'playlistId', 'channelId', 'contentId', 'contentType', 'metadata', 'badges', 'overlays', 'lengthText'],
  ...[
    'navigationEndpoint',
    'browseEndpoint',
    'browseId',
    'onTap',
    'innertubeCommand',
    'watchEndpoint',
    'viewCountText',
  ],
  ...['commandRuns', 'attachmentRuns', 'startIndex', 'length', 'continuationItemRenderer', 'messageRenderer', 'header'],
  ...[
    'lockupMetadataViewModel',
    'contentMetadataViewModel',
    'metadataRows',
    'metadataParts',
    'shelfRenderer',
    '__proto__',
  ],
  ...['streamingData', 'adaptiveFormats', 'itag', 'mimeType', 'qualityLabel', 'audioTrack', 'videoDetails', 'toString'],
  ...[
    'playabilityStatus',
    'status',
    'reason',
    'captions',
    'playerCaptionsTracklistRenderer',
    'captionTracks',
    'baseUrl',
  ],
  ...[
    'microformat',
    'playerMicroformatRenderer',
    'ownerProfileUrl',
    'storyboards',
    'playerStoryboardSpecRenderer',
    'spec',
  ],
  ...[
    'twoColumnWatchNextResults',
    'results',
    'videoPrimaryInfoRenderer',
    'engagementPanels',
    'events',
    'segs',
    'tStartMs',
  ],
  ...['onResponseReceivedActions', 'appendContinuationItemsAction', 'continuationItems', 'sidebar', 'alerts'],
  ...itemReaders.keys(),
  ...['onResponseReceivedEndpoints', 'commentThreadRenderer', 'commentViewModel', 'commentRenderer', 'commentId'],
  ...['replies', 'commentRepliesRenderer', 'subThreads', 'commentsHeaderRenderer', 'frameworkUpdates', 'commentKey'],
  ...['backstageAttachment', 'pollRenderer', 'quizRenderer', 'choices', 'postId', 'originalPost', 'styleRuns'],
];
const words = [
  'https://a.example/videoplayback?expire=1780890130&xtags=acont%3Ddubbed',
  'video/mp4; codecs="avc1.640028"',
  'LIVE_STREAM_OFFLINE',
  'OK',
  'dQw4w9WgXcQ',
  'UC16niRr50-MSBwiO3YDb3RA',
  'PL1',
  'LOCKUP_CONTENT_TYPE_VIDEO',
  '1.2K views',
  '9:43',
  '//a',
];

/** JSON with the site's member names in arbitrary positions. */
const { node } = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 8, depthSize: 'large' },
    fc.oneof(fc.constantFrom<unknown>(...words, null, true, -1, 0, 1e300), fc.string({ unit: 'binary' })),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.array(fc.tuple(fc.constantFrom(...names), tie('node')), { maxLength: 6 }).map((members) => {
      const text = `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;
      return JSON.parse(text) as unknown;
    }),
  ),
}));

/** Returns threads within threads, nested more deeply than the site's. */
function nestedComments(depth: number): object {
  let entry: object = {};
  for (let at = 0; at < depth; at += 1) {
    const comment = { commentRenderer: { commentId: String(at) } };
    const replies = {
      commentRepliesRenderer: { subThreads: [entry], contents: [{ commentThreadRenderer: { comment } }] },
    };
    entry = { commentThreadRenderer: { comment, replies } };
  }
  return { onResponseReceivedEndpoints: [{ appendContinuationItemsAction: { continuationItems: [entry] } }] };
}

/** Reads a response with all parsers of video details. */
function readVideo(response: Fields): void {
  const { videos = [], audios = [] } = readMedia(readStreams(response).formats, 'de', 'UA');
  for (const { item, stream } of [...videos, ...audios]) {
    expect(item.url).toMatch(/^https?:/);
    expect(item.label).not.toBe('');
    if (stream?.expiresAt !== undefined) expect(Number.isSafeInteger(stream.expiresAt)).toBe(true);
  }
  const { items: related } = readRelated(response, response);
  const details = readVideoMetadata('dQw4w9WgXcQ', {
    player: response,
    web: response,
    translation: response,
    watch: response,
    related,
  });
  expect(readPlayability(response, 'dQw4w9WgXcQ').state).toMatch(/^(?:playable|offline|refused)$/);
  JSON.stringify([details, readCaptions(response)]);
}

function readAll(response: unknown): void {
  try {
    const comments = readCommentPage(response);
    for (const { id } of comments.threads) expect(id).not.toBe('');
    JSON.stringify(comments);
    const page = readPage(response);
    for (const item of page.items) {
      expect(item.id).not.toBe('');
      expect(item.url).toMatch(/^https:\/\/www\.youtube\.com\//);
      for (const value of Object.values(item))
        if (typeof value === 'number') expect(Number.isSafeInteger(value)).toBe(true);
    }
    JSON.stringify(page);
    readVideo(fields(response));
  } catch (error) {
    expect(error).toBeInstanceOf(MillraceError);
  }
}

describe('hostile responses', () => {
  it('are parsed or rejected', () => {
    fc.assert(
      fc.property(node, (response) => {
        readAll(response);
        readAll({ contents: response });
        readAll({ onResponseReceivedActions: [{ appendContinuationItemsAction: { continuationItems: [response] } }] });
        for (const readItem of itemReaders.values()) readItem(response);
        expect(readRuns(response).every(({ text }) => typeof text === 'string')).toBe(true);
        const parts = {
          contents: response,
          header: response,
          metadata: response,
          microformat: response,
          sidebar: response,
        };
        readPlaylistInfo(parts, 'PL1');
        readMixPanel(parts, 'dQw4w9WgXcQ');
        readHashtagInfo(parts);
        readSearchInfo({ ...parts, refinements: response });
        const header = readChannelHeader(response);
        readChannelDetails({ response: parts, translation: parts, header, about: readAbout(response) }, 'UC1');
      }),
      { seed: 5, numRuns: propertyRuns(400) },
    );
  });

  it('yield a result or a MillraceError from each endpoint', async () => {
    const body = fc.oneof(node, fc.json({ maxDepth: 4 }), fc.string({ unit: 'binary' }));
    const parameters = {
      query: 'a\ud800',
      handle: 'a',
      tag: 'a',
      lang: 'he',
      videoId: 'dQw4w9WgXcQ',
      getTranscript: 'true',
      commentId: 'Ugw',
      postId: 'UgkxSvWRZtiCPAdVhqpAt7PCYPZ7c-Sf-gzx',
      channelId: 'UC16niRr50-MSBwiO3YDb3RA',
      contentType: 'videos',
    };
    await fc.assert(
      fc.asyncProperty(
        body,
        fc.constantFrom('PL1', 'RDMM'),
        fc.constantFrom(200, 302, 400, 404, 429, 500),
        async (response, playlistId, status) => {
          const { context } = fakeSite(() => ({ status, body: response ?? null }));
          for (const endpoint of createYoutube().endpoints) {
            const outcome = await endpoint
              .extract({ ...parameters, playlistId }, context)
              .catch((error: unknown) => error);
            if (outcome instanceof Error) expect(outcome).toBeInstanceOf(MillraceError);
          }
        },
      ),
      { seed: 6, numRuns: propertyRuns(300) },
    );
  });

  it.each<[string, unknown]>([
    ['many items', { contents: Array.from({ length: 50_000 }, () => ({ videoRenderer: { videoId: 'dQw4w9WgXcQ' } })) }],
    ['many kinds', { contents: Array.from({ length: 50_000 }, (_, at) => ({ [`a${at}Renderer`]: {} })) }],
    [
      'a long text',
      { contents: [{ videoRenderer: { videoId: 'dQw4w9WgXcQ', title: { simpleText: '1,'.repeat(1e6) } } }] },
    ],
    [
      'many pictures',
      {
        contents: [
          {
            videoRenderer: {
              videoId: 'dQw4w9WgXcQ',
              thumbnail: {
                thumbnails: Array.from({ length: 50_000 }, (_, at) => ({ url: `https://a.example/${at}` })),
              },
            },
          },
        ],
      },
    ],
    ['nested comments', nestedComments(2_000)],
    ['depth', JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)],
  ])('are processed in bounded time with %s', (_name, response) => {
    const elapsed = startCpuClock();
    readAll({ contents: response });
    readAll(response);
    expect(elapsed()).toBeLessThan(2_000);
  });

  const sampledRecordings = recordingsOf('search', 'channel', 'playlist', 'watch', 'player', 'comments', 'mix').filter(
    (_, at) => at % 12 === 0,
  );

  it.skipIf(sampledRecordings.length === 0)('are parsed or rejected when a recorded response is damaged', () => {
    const damages = fc.array(
      fc.tuple(fc.double({ min: 0, max: 0.9999, noNaN: true }), fc.constantFrom('null', '[]', '{}', '""', '7')),
      {
        minLength: 1,
        maxLength: 20,
      },
    );
    const texts = sampledRecordings.map(({ body }) => JSON.stringify(body));
    fc.assert(
      fc.property(fc.constantFrom(...texts), damages, (text, faults) => {
        let next = 0;
        const every = Math.max(1, Math.floor(1_000 / faults.length));
        const damaged: unknown = JSON.parse(text, (_name, value: unknown) => {
          next += 1;
          const fault = faults[next % every];
          return fault !== undefined && (next * fault[0]) % 1 > 0.97 ? JSON.parse(fault[1]) : value;
        });
        readAll(damaged);
        const response = fields(damaged);
        readPlaylistInfo(response, 'PL1');
        readMixPanel(response, 'dQw4w9WgXcQ');
        const details = readChannelDetails({ response, header: readChannelHeader(response.header) }, 'UC1');
        expect(details.channelId).toMatch(/^UC/);
      }),
      { seed: 7, numRuns: propertyRuns(40) },
    );
  });
});
