import { describe, expect, it } from 'vitest';
import { Log, Parser } from 'youtubei.js';
import { languageTagPattern } from '../../../contract/language-tag.ts';
import { count, dig, type Fields, fields, list } from '../../../parsing/values.ts';
import { fakeSite } from '../../testing/fake-site.ts';
import { createYoutube } from '../index.ts';
import { sourceCaptionsOf } from '../parse/player/caption-links.ts';
import { readCaptions } from '../parse/player/captions.ts';
import type { Format } from '../parse/player/formats.ts';
import { readMedia } from '../parse/player/media.ts';
import { readPlayability } from '../parse/player/playability.ts';
import { readStoryboards } from '../parse/player/storyboards.ts';
import { readStreams } from '../parse/player/streams.ts';
import { parseTranscript } from '../parse/transcript-segments.ts';
import { readVideoMetadata } from '../parse/video-metadata.ts';
import { type Recording, recording, recordings, recordingsOf } from '../testing/recordings.ts';

/** Returns the player response in a recording, and the requested ID if it was recorded. */
function playerOf({ body, facts }: Recording): { readonly response: Fields; readonly id: string } {
  const whole = fields(body);
  const response = fields(whole.playerResponse ?? (whole.playabilityStatus || whole.videoDetails ? whole : {}));
  return { response, id: String(dig(response, 'videoDetails', 'videoId') ?? facts.videoId ?? 'aaaaaaaaaaa') };
}

const players = recordingsOf('player');
const playerRecording = (part: string) => recording(part.includes('/') ? part : `player/${part}.json.gz`);

/** Number of recorded formats whose link has no `n` and no chunk length, counted by another program. */
const ALL_FORMATS = 564;

/** Number of languages of recorded audio tracks, and of recorded caption tracks. */
const LANGUAGES = 36;
const ALL_CAPTIONS = 242;

/** The refused recordings, by a part of their names. */
const refusals: readonly (readonly [RegExp, string])[] = [
  [/notavailable_(?:invalidid|nonexistent)|2021-11-17.*_(?:16|4)\.|2022-03-27.*_(?:17|5)\./i, 'missing'],
  [/privatecontent|2021-08-01.*_14\.|2021-11-17.*_13\.|2022-03-27.*_14\.|2023-12-10.*notAvailable_11\./i, 'private'],
  [/paidcontent|musicpremium|2021-11-17.*_7\.|2022-03-27.*_(?:11|8)\.|2023-12-10.*notAvailable_[79]\./i, 'paid'],
  [/notavailable_restricted|2022-03-27.*_20\.|2023-12-10.*notAvailable_15\./i, 'country'],
  [/2021-12-27.*ageRestricted_5|2024-07-23.*ageRestricted_2|yta__youtube_age_restricted/, 'age'],
  [/youtube_request_blocked/, 'blocked'],
  [/ratingsdisabled_3/, 'unplayable'],
];

describe.skipIf(recordings().length === 0)('recorded players', () => {
  it.each(players.map(({ name }) => name))('play or are refused as in %s', (name) => {
    const { response, id } = playerOf(recording(name));
    const verdict = readPlayability(response, id);
    const expected = refusals.find(([part]) => part.test(name))?.[1];
    const status = dig(response, 'playabilityStatus', 'status');
    if (expected !== undefined) {
      expect(verdict).toMatchObject({ state: 'refused', kind: expected });
      const words = dig(response, 'playabilityStatus', 'reason');
      if (verdict.state === 'refused' && words) expect(verdict.error.message).toContain(words);
    } else if (status === undefined) {
      // NewPipe's request to the WEB player omits the status.
      expect([Object.keys(response).toSorted(), verdict]).toMatchObject([
        ['microformat', 'videoDetails'],
        { kind: 'unreadable' },
      ]);
    } else {
      expect(verdict.state).toBe(status === 'OK' ? 'playable' : 'offline');
    }
  });

  it('state the language of each audio track, and offer all captions for embedding', () => {
    const languages = new Set<string>();
    let captionCount = 0;
    for (const player of players) {
      const { response } = playerOf(player);
      const { audios = [] } = readMedia(readStreams(response).formats, undefined, 'UA');
      for (const { item, stream } of audios) {
        if (item.metadata.language === undefined) continue;
        expect(stream?.language, player.name).toMatch(new RegExp(languageTagPattern));
        languages.add(stream?.language ?? '');
      }
      const { tracks } = readCaptions(response);
      const captions = sourceCaptionsOf(tracks, 'UA');
      expect(captions.length, player.name).toBe(tracks.length);
      captionCount += captions.length;
    }
    expect([languages.size, captionCount]).toEqual([LANGUAGES, ALL_CAPTIONS]);
  });

  it('list their files, each with a unique name', () => {
    let all = 0;
    for (const player of players) {
      const { response } = playerOf(player);
      const formats = readStreams(response).formats;
      const { videos = [], audios = [] } = readMedia(formats, undefined, 'UA');
      expect(videos.length + audios.length, player.name).toBe(formats.length);
      const ids = [...videos, ...audios].map(({ item }) => item.repId);
      expect(new Set(ids).size, player.name).toBe(ids.length);
      all += ids.length;
      for (const { item, stream } of [...videos, ...audios]) {
        expect(item.label, player.name).toMatch(/^(?:\d+p(?:50|60)?|(?:AAC|Opus) \d+ kbps(?:, .+)?)$/);
        expect(stream?.bytes ?? stream?.estimatedBytes, player.name).toBeGreaterThan(0);
        expect(stream?.expiresAt, player.name).toBeGreaterThan(1.6e12);
        expect(item.metadata.has_audio, player.name).toBe(stream?.kind !== 'video');
      }
    }
    expect(all).toBe(ALL_FORMATS);
  });

  it('contain every format that youtubei.js finds', () => {
    Log.setLevel(Log.Level.NONE);
    Parser.setParserErrorHandler(() => undefined);
    let formatCount = 0;
    for (const player of players) {
      const { response } = playerOf(player);
      if (response.streamingData === undefined) continue;
      const ours = readStreams(response).formats;
      const oracleData = fields(fields(Parser.parseResponse(structuredClone(response))).streaming_data);
      const theirs = [...list(oracleData.formats), ...list(oracleData.adaptive_formats)]
        .map((one) => one as Fields)
        .filter(({ url, is_type_otf, target_duration_sec: piece }) => {
          const query = typeof url === 'string' ? URL.parse(url)?.searchParams : undefined;
          return query !== undefined && !query.has('n') && is_type_otf !== true && piece === undefined;
        });
      expect(ours.map(formatSummary), player.name).toEqual(theirs.map(oracleFormatSummary));
      formatCount += ours.length;
    }
    expect(formatCount).toBe(ALL_FORMATS);
  });

  it('of a live stream contain only chunks, and a playlist', () => {
    const { response } = playerOf(playerRecording('h20260126__2026-01-26_8133708d_stream_streamlivestream_1'));
    expect(readStreams(response).formats).toEqual([]);
    expect(dig(response, 'streamingData', 'hlsManifestUrl')).toMatch(/^https:\/\/manifest\.googlevideo\.com\//);
  });

  it('contain captions with a primary track', () => {
    const captions = (name: string) => readCaptions(playerOf(playerRecording(name)).response);
    const { tracks, primary } = captions('head__stream_streamdefault_audiotracktypes_3');
    expect(tracks.map(({ language, kind, translatable }) => [language, kind, translatable])).toEqual([
      ['en', 'manual', true],
      ['en-GB', 'manual', true],
      ['ja', 'auto', true],
    ]);
    expect(primary).toMatchObject({ language: 'en', name: expect.any(String), expiresAt: '2026-06-08T04:42:10.000Z' });
    expect(captions('head__stream_streamcollaborators_3')).toMatchObject({ primary: { language: 'en-US' } });
    expect(captions('head__stream_streamcollaborators_3').tracks).toHaveLength(36);
    // Speech recognition is first in the list, but manual captions in the same language are preferred.
    expect(captions('h20240510__2024-05-10_9730de27__stream_generatedSubtitles_4').primary).toMatchObject({
      language: 'de',
      kind: 'manual',
    });
    expect(captions('yta__youtube_transcripts_disabled')).toEqual({ tracks: [] });
    const counts = players.map(
      ({ name, body }) =>
        [name, list(dig(body, 'captions', 'playerCaptionsTracklistRenderer', 'captionTracks')).length] as const,
    );
    for (const [name, number] of counts) if (number > 0) expect(captions(name).tracks, name).toHaveLength(number);
  });

  it('contain storyboards', () => {
    const { response } = playerOf(playerRecording('head__stream_streamdefault_streamsegmentsmailab_3'));
    const boards = readStoryboards(response);
    expect(
      boards.map(({ width, height, count: number, sheets, intervalMs }) => [width, height, number, sheets, intervalMs]),
    ).toEqual([
      [48, 27, 100, 1, undefined],
      [80, 45, 103, 2, 10_000],
      [160, 90, 103, 5, 10_000],
    ]);
    expect(boards[2]?.urlTemplate).toMatch(
      /\/storyboard3_L2\/M\$M\.jpg\?sqp=.+&sigh=rs%24AOn4CLD17XmSJonW_jAWA6JDoPaDqVkTOQ$/,
    );
    const live = readStoryboards(
      playerOf(playerRecording('h20260126__2026-01-26_8133708d_stream_streamlivestream_1')).response,
    );
    expect(live).toMatchObject([{ width: 159, height: 90, columns: 3, rows: 3 }]);
  });
});

function formatSummary({ itag, mimeType, track, drc, bytes, fps, height, kind }: Format) {
  return {
    itag,
    mimeType,
    bytes,
    fps,
    height: kind === 'audio' ? undefined : height,
    drc,
    language: track?.language,
    original: track?.kind === 'original',
    dubbed: track?.kind === 'dubbed',
    autoDubbed: track?.kind === 'auto-dubbed',
    descriptive: track?.kind === 'descriptive',
  };
}

function oracleFormatSummary(format: Fields): ReturnType<typeof formatSummary> {
  const track = format.audio_track;
  return {
    itag: Number(format.itag),
    mimeType: String(format.mime_type),
    bytes: count(format.content_length),
    fps: count(format.fps),
    height: count(format.height),
    drc: format.is_drc === true,
    language: track === undefined ? undefined : String(format.language),
    original: track !== undefined && format.is_original === true,
    dubbed: format.is_dubbed === true,
    autoDubbed: format.is_auto_dubbed === true,
    descriptive: format.is_descriptive === true,
  };
}

describe.skipIf(recordings().length === 0)('recorded transcripts', () => {
  it('are parsed line by line', () => {
    const readSegments = (name: string, kind: 'manual' | 'auto') =>
      parseTranscript(JSON.stringify(recording(`transcript/${name}.json.gz`).body), 200, kind);
    const manual = readSegments('y2b__subtitleJson3', 'manual');
    expect(manual).toHaveLength(151);
    expect(manual[0]).toEqual({
      startMs: 210,
      durationMs: 3_830,
      text: "Hi, I'm Vanessa from SpeakEnglishWithVanessa.com.",
    });
    const auto = readSegments('y2b__subtitleJson3_2', 'auto');
    expect(auto).toHaveLength(1_053);
    expect(auto[1]).toEqual({ startMs: 3_000, durationMs: 2_130, text: 'think we found some comments all right' });
    for (const [at, { startMs, durationMs }] of auto.entries()) {
      expect(startMs + durationMs).toBeLessThanOrEqual(auto[at + 1]?.startMs ?? Number.POSITIVE_INFINITY);
    }
    expect(recordingsOf('transcript')).toHaveLength(2);
  });
});

describe.skipIf(recordings().length === 0)('a recorded video', () => {
  const recordingsOfVideo = (stem: string, [media, web, watch] = [3, 7, 8]) => ({
    media: playerRecording(`head__stream_${stem}_${media}`),
    web: playerRecording(`head__stream_${stem}_${web}`),
    watch: recording(`watch/head__stream_${stem}_${watch}.json.gz`),
  });

  async function extract(stem: string, videoId: string) {
    const { media, web, watch } = recordingsOfVideo(stem);
    const site = fakeSite(({ url, body }) => {
      if (url.pathname.endsWith('/visitor_id')) return recording('misc/head__stream_streamcollaborators_2.json.gz');
      if (url.pathname.endsWith('/next')) return watch;
      return JSON.stringify(body).includes('VISIONOS') ? media : web;
    });
    const endpoint = createYoutube().endpoints.find(({ path }) => path === '/video/details');
    if (endpoint === undefined) throw new Error('there is no such endpoint');
    return await endpoint.extract({ videoId }, site.context);
  }

  it('is returned completely', async () => {
    const { contents, metadata } = await extract('streamdefault_audiotracktypes', 'Kn56bMZ9OE8');
    expect(contents?.[0]?.videos?.map(({ item }) => item.metadata.itag)).toContain(137);
    expect(contents?.[0]?.videos?.[0]?.item).toMatchObject({
      label: '2160p',
      repId: '313',
      metadata: { content_length: 592_078_682 },
    });
    const kinds = contents?.[0]?.audios?.map(({ item }) => item.metadata.audio_track_kind);
    expect(new Set(kinds)).toEqual(new Set(['original', 'dubbed', 'descriptive']));
    expect(metadata).toMatchObject({
      title: 'This bus transforms into a train',
      thumbnailUrl: 'https://i.ytimg.com/vi/Kn56bMZ9OE8/maxresdefault.jpg',
      author: {
        id: 'UCBa659QWEk1AI4Tg--mrJ2A',
        name: 'Tom Scott',
        handle: '@TomScottGo',
        verified: true,
        subscriberCount: 6_710_000,
        subscriberCountText: '6.71m subscribers',
      },
      transcript: { languages: ['en', 'en-GB', 'ja'] },
      additionalData: {
        duration: 304,
        publishedAt: '2023-03-20T09:02:04-07:00',
        publishedText: '3 years ago',
        category: 'Education',
        isShort: false,
        isFamilySafe: true,
        isUnlisted: false,
        isLive: false,
        statistics: {
          viewCount: 1_550_867,
          viewCountText: '1,550,867 views',
          likeCount: 77_322,
          likeCountText: '77k',
          commentCount: 2_000,
          commentCountText: '2k',
        },
      },
    });
    expect(metadata.additionalData?.related).toHaveLength(20);
    expect(metadata.additionalData?.availableCountries).toHaveLength(249);
    expect(metadata.additionalData?.heatmap).toHaveLength(100);
  });

  it('is returned without the page header', async () => {
    const { metadata } = await extract('streamdefault_novisualmetadatavideo', 'An8vtD1FDqs');
    expect(metadata).toMatchObject({
      title: expect.stringMatching(/energy kite/),
      author: { name: expect.any(String), handle: '@makani' },
      additionalData: {
        statistics: { viewCount: expect.any(Number), likeCount: 618 },
        category: 'Science & Technology',
      },
    });
  });

  it('that is upcoming has its start time', () => {
    const { response } = playerOf(playerRecording('ivorg__scheduled_live_PBD-Podcast.player'));
    expect(readVideoMetadata('N-yVic7BbY0', { web: response, scheduledAt: '2023-02-28T14:00:00.000Z' })).toMatchObject({
      title: 'Home Team | PBD Podcast | Ep. 241',
      author: { handle: '@PBDPodcast' },
      additionalData: {
        isUpcoming: true,
        isLive: false,
        isLiveContent: true,
        publishedAt: '2023-02-27',
        live: { scheduledAt: '2023-02-28T14:00:00.000Z' },
      },
    });
  });
});
