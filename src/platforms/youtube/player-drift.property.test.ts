import { describe, expect, it } from 'vitest';
import { dig, type Fields, fields, text } from '../../parsing/values.ts';
import { resultUnlessUnread } from '../testing/extraction-outcome.ts';
import { namesIn, renamed } from '../testing/renamed-members.ts';
import { recordingsOf } from './testing/recordings.ts';
import { details, ID, onlyParts, openVideoSite, playable, streamingData } from './testing/video-site.ts';

const hlsManifestUrl = 'https://manifest.googlevideo.com/api/manifest/hls_variant/expire/1780890130/index.m3u8';
const master =
  '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="mp4a.40.2,avc1.4D401F",RESOLUTION=1280x720\n' +
  'https://manifest.googlevideo.com/api/manifest/hls_playlist/itag/95/index.m3u8\n';
const serverAbrStreamingUrl = 'https://rr1.googlevideo.com/videoplayback?sabr=1';
const withoutLinks = {
  ...playable,
  streamingData: {
    serverAbrStreamingUrl,
    adaptiveFormats: streamingData.adaptiveFormats.map(({ url, ...rest }) => rest),
  },
};
const live = {
  ...playable,
  videoDetails: { ...details, isLive: true },
  streamingData: { hlsManifestUrl, adaptiveFormats: [] },
};

/** Player responses by their names. */
const made: Readonly<Record<string, Fields>> = {
  'with files': playable,
  'with files and a playlist': {
    ...playable,
    streamingData: { ...streamingData, hlsManifestUrl, serverAbrStreamingUrl },
  },
  'of a live stream': live,
};

/** Changes of the values of addresses. */
const addressDrifts: Readonly<Record<string, (text: string) => string>> = {
  'addresses as objects': (json) => json.replaceAll(/("(?:url|hlsManifestUrl)":)("[^"]*")/g, '$1{"href":$2}'),
  'addresses without a scheme': (json) => json.replaceAll('"https://', '"//'),
  'addresses with another scheme': (json) => json.replaceAll('"https://', '"cdn://'),
  'relative addresses': (json) => json.replaceAll(/"https:\/\/[^/"]+/g, '"'),
  'no addresses': (json) => json.replaceAll(/("(?:url|hlsManifestUrl)":)"[^"]*"/g, '$1null'),
  'other types': (json) => json.replaceAll(/"(?:video|audio)\//g, '"media/'),
  'one file in another form': (json) => json.replace('"itag":', '"tag":'),
  'maps for lists': (json) => json.replaceAll(/("adaptiveFormats":)\[([^\]]*)\]/g, '$1{"all":[$2]}'),
};

/** Returns the changes of a response: a new name of each member, and new values of addresses. */
function driftsOf(response: Fields): readonly (readonly [name: string, Fields])[] {
  const json = JSON.stringify(response);
  const changed = [
    ...namesIn(json).map((name) => [`a new name of ${name}`, renamed(json, new Set([name]))] as const),
    ...Object.entries(addressDrifts).map(([name, drift]) => [name, drift(json)] as const),
  ];
  return changed.map(([name, text]) => [name, fields(JSON.parse(text))] as const);
}

/** Returns the number of media, of which there is one if a playlist cannot be fetched, and of unread kinds. */
async function extractMedia(visionos: Fields, android: Fields, videoId: string = ID) {
  const site = openVideoSite(
    {
      VISIONOS: { body: visionos },
      ANDROID: { body: { playerResponse: android } },
      web: { status: 500, body: '' },
      hls: { body: master },
    },
    { videoId },
    onlyParts('contents', 'contents.videos', 'contents.audios'),
  );
  const { contents, unread = {} } = await site.extract();
  const media = contents?.flatMap(({ videos = [], audios = [] }) => [...videos, ...audios]) ?? [];
  return { media: media.length, unread: Object.keys(unread).length };
}

/** Returns the changes of a response after which media are lost without a sign. */
async function silentLosses(response: Fields, androidOf: (drifted: Fields) => Fields, videoId?: string) {
  const before = await extractMedia(response, androidOf(response), videoId);
  expect(before).toMatchObject({ unread: 0, media: expect.toSatisfy((media: number) => media > 0) });
  const losses: string[] = [];
  for (const [name, drifted] of driftsOf(response)) {
    const after = await resultUnlessUnread(extractMedia(drifted, androidOf(drifted), videoId), name);
    if (after !== undefined && after.unread === 0 && after.media < before.media) losses.push(name);
  }
  return losses;
}

describe.each(Object.entries(made))('a player response %s', (_name, response) => {
  it.each<[string, (drifted: Fields) => Fields]>([
    ['that changes for all clients', (drifted) => drifted],
    ['that changes for one client', () => playable],
    ['that changes while the other client has no links', () => withoutLinks],
  ])('%s loses no media silently', async (_change, androidOf) => {
    expect(await silentLosses(response, androidOf)).toEqual([]);
  });
});

describe.skipIf(recordingsOf('player').length === 0)('recorded players', () => {
  const responses = recordingsOf('player').flatMap(({ name, body }) => {
    const { playabilityStatus, videoDetails, streamingData } = fields(dig(body, 'playerResponse') ?? body);
    const videoId = text(dig(videoDetails, 'videoId'));
    const response = { playabilityStatus, videoDetails, streamingData };
    return streamingData === undefined || videoId === undefined ? [] : [{ name, response, videoId }];
  });

  it('contain no unread stream', async () => {
    for (const { name, response, videoId } of responses) {
      const outcome = await extractMedia(response, response, videoId).catch((error: unknown) => error);
      expect(outcome, name).toSatisfy((value) => dig(value, 'unread') === 0 || dig(value, 'code') === 'unavailable');
    }
  });

  it('lose no media silently when they change', async () => {
    for (const { name, response, videoId } of responses.filter((_, at) => at % 12 === 0)) {
      const outcome = await extractMedia(response, response, videoId).catch(() => undefined);
      if (outcome === undefined) continue;
      expect(await silentLosses(response, (drifted) => drifted, videoId), name).toEqual([]);
    }
  });
});
