import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lab } from '../../lab.ts';
import { fetchThrough, startTestLab } from '../../testing.ts';
import { captionsOf } from './responses/captions.ts';
import { tracksOf } from './responses/formats.ts';
import { openLink, signedMembers } from './responses/links.ts';
import { type CallSite, type SiteResponse, siteCaller, under, type Value } from './testing.ts';
import { findVideo } from './world/videos.ts';

let lab: Lab;
let site: CallSite;
const visitors = new Map<string, unknown>();
beforeAll(async () => {
  lab = await startTestLab();
  site = siteCaller(lab);
  for (const clientName of ['VISIONOS', 'ANDROID']) visitors.set(clientName, await visitorFor(clientName));
});
afterAll(() => lab.close());

async function visitorFor(clientName: string): Promise<unknown> {
  const { body } = await site('visitor_id', {}, { clientName });
  return Object(body.responseContext).visitorData;
}

const as = (clientName: string) => ({ clientName, visitorData: visitors.get(clientName) });
const vision = async (videoId: string) => (await site('player', { videoId }, as('VISIONOS'))).body;
const web = async (videoId: string, client: Value = {}) =>
  (await site('player', { videoId }, client, '&$fields=playabilityStatus,videoDetails,microformat,captions')).body;
const reel = async (videoId: string) => {
  const body = { playerRequest: { videoId }, disablePlayerResponse: false };
  return Object(
    (await site('reel/reel_item_watch', body, as('ANDROID'), '&$fields=playerResponse')).body.playerResponse,
  ) as Value;
};
const statusOf = (body: Value) => Object(body.playabilityStatus) as Value;
const formatsOf = (body: Value) => under(body, 'adaptiveFormats').flat() as unknown as Value[];
const agent = { headers: { 'user-agent': 'test' } };

// A video of two seconds is generated quickly.
const quick = 'lab-min-002';

describe('an ordinary video', () => {
  test('has links for VISIONOS that match their declarations', async () => {
    const body = await vision(quick);
    const formats = formatsOf(body);
    expect(formats.map(({ itag }) => itag)).toEqual([136, 134, 140]);
    for (const { url, contentLength, mimeType, indexRange } of formats) {
      const response = await fetchThrough(lab, String(url), agent);
      expect([response.status, response.body.length]).toEqual([200, Number(contentLength)]);
      expect(String(mimeType)).toContain(`${response.headers['content-type']};`);
      const start = Number(Object(indexRange).start);
      expect(response.body.toString('latin1', start + 4, start + 8)).toBe('sidx');
      const expire = Number(new URL(String(url)).searchParams.get('expire'));
      expect(Math.abs(expire - Date.now() / 1000 - 21_540)).toBeLessThan(60);
    }
    expect(body.microformat).toBeUndefined();
    expect(Object(body.videoDetails)).toMatchObject({ videoId: quick, lengthSeconds: '2' });
  });

  test('has a master playlist that leads to segments', async () => {
    const lines = async (url: string) =>
      (await fetchThrough(lab, url, agent)).body
        .toString()
        .split('\n')
        .filter((line) => line.startsWith('https:'));
    const variants = await lines(String(Object((await vision(quick)).streamingData).hlsManifestUrl));
    expect(variants.map((url) => /\/itag\/(\d+)\//.exec(url)?.[1])).toEqual(['91', '93', '95']);
    const [segment = ''] = await lines(variants[0] ?? '');
    const { status, body } = await fetchThrough(lab, segment, agent);
    expect([status, body[0], body[188]]).toEqual([200, 0x47, 0x47]);
    expect((await fetchThrough(lab, segment.replace('/id/lab-min-002/', '/id/lab-plain30/'), agent)).status).toBe(403);
  });

  test('has only the link of the muxed file in the reel response', async () => {
    const body = await reel(quick);
    const [muxed] = under(body, 'formats').flat() as unknown as Value[];
    expect([muxed?.itag, (await fetchThrough(lab, String(muxed?.url), agent)).status]).toEqual([18, 200]);
    expect(formatsOf(body).every(({ url }) => url === undefined)).toBe(true);
  });

  test('has its other details for WEB, in the requested language', async () => {
    const body = await web(quick);
    expect(Object(body.microformat).playerMicroformatRenderer).toMatchObject({
      externalVideoId: quick,
      category: 'Education',
    });
    expect(body.streamingData).toBeUndefined();
    const german = await web(quick, { clientName: 'WEB', hl: 'de' });
    expect(Object(german.videoDetails).title).not.toBe(Object(body.videoDetails).title);
  });
});

test('audio languages, 60 frames per second and HDR have their own tracks', () => {
  const tracks = (id: string) => {
    const video = findVideo(id);
    return video === undefined ? [] : tracksOf(video);
  };
  const labels = (id: string) => tracks(id).map(({ format }) => format.label);
  expect(labels('lab-plain30')).toEqual(['1080p', '720p', '360p', '360p', '144p', undefined, undefined]);
  expect(labels('lab-60fps-1')).toContain('720p60');
  expect(labels('lab-hdr-vp9')).toContain('360p HDR');
  const sounds = tracks('lab-dubbed1').filter(({ language }) => language !== undefined);
  expect(sounds.map(({ language }) => language)).toEqual(['en', 'de', 'fr', 'en', 'de', 'fr']);
  expect(new Set(sounds.map(({ media }) => media.name)).size).toBe(3);
  expect(labels('lab-feature')).toEqual(expect.arrayContaining(['1080p', '720p60', '360p HDR']));
  expect(new Set(tracks('lab-feature').map(({ language }) => language)).size).toBe(6);
});

test('a video with many captions serves each of them', async () => {
  const video = findVideo('lab-feature');
  const { captions } = video === undefined ? {} : captionsOf(video, 'en');
  const links = JSON.stringify(captions).match(/https:[^"]+timedtext[^"]+/g) ?? [];
  expect(links).toHaveLength(8);
  const texts = await Promise.all(links.map(async (link) => String((await fetchThrough(lab, `${link}&fmt=vtt`)).body)));
  expect(texts.map((each) => /\[(\S+)\]/.exec(each)?.[1]).toSorted()).toEqual(
    ['ar', 'de', 'en', 'en', 'es', 'fr', 'ja', 'pt-BR'].toSorted(),
  );
});

describe('a refusal by the player', () => {
  test.each([
    ['lab-private', 'LOGIN_REQUIRED', /private/],
    ['lab-removed', 'ERROR', /removed/],
    ['lab-account', 'ERROR', /terminated/],
    ['lab-agegate', 'LOGIN_REQUIRED', /confirm your age/],
    ['lab-members', 'UNPLAYABLE', /members/],
    ['lab-premium', 'UNPLAYABLE', /Music Premium/],
    ['lab-payfilm', 'UNPLAYABLE', /payment/],
    ['lab-sign-in', 'LOGIN_REQUIRED', /Please sign in/],
    ['lab-botwall', 'LOGIN_REQUIRED', /not a bot/],
    ['lab-geo-us0', 'UNPLAYABLE', /country/],
    ['lab-geo-fr1', 'UNPLAYABLE', /country/],
    ['lab-live-up', 'LIVE_STREAM_OFFLINE', /will begin/],
    ['nothing-is-', 'ERROR', /unavailable/],
  ])('applies to %s', async (id, status, words) => {
    for (const body of [await vision(id), await web(id)]) {
      expect(statusOf(body).status).toBe(status);
      expect(JSON.stringify(statusOf(body))).toMatch(words);
      expect(body.streamingData).toBeUndefined();
    }
  });

  test('applies to VISIONOS for a video made for kids, which WEB plays', async () => {
    expect(statusOf(await vision('lab-kids-00'))).toMatchObject({
      status: 'UNPLAYABLE',
      reason: 'This video is not available',
    });
    expect(statusOf(await web('lab-kids-00')).status).toBe('OK');
  });

  test('is an empty reel response for an unknown ID', async () => {
    expect(await reel('nothing-is-')).toEqual({});
    expect((await site('player', { videoId: 'short' })).status).toBe(400);
  });

  test('is a bot check for a visitor without an issued ID, and for the first visitor of lab-botonce', async () => {
    const stranger = await site('player', { videoId: 'lab-private' }, { clientName: 'VISIONOS' });
    expect(statusOf(stranger.body).reason).toMatch(/not a bot/);
    const requestPlayer = async (): Promise<SiteResponse> =>
      site(
        'player',
        { videoId: 'lab-botonce' },
        { clientName: 'VISIONOS', visitorData: await visitorFor('VISIONOS') },
        '&$fields=playabilityStatus',
      );
    expect(statusOf((await requestPlayer()).body).status).toBe('LOGIN_REQUIRED');
    expect(statusOf((await requestPlayer()).body).status).toBe('OK');
  });

  test('may be the details of another video, or a failing endpoint', async () => {
    expect(Object((await web('lab-wrongid')).videoDetails).videoId).toBe(quick);
    expect((await site('next', { videoId: 'lab-next503' })).status).toBe(503);
    expect((await site('player', { videoId: 'lab-web-503' })).status).toBe(503);
  });
});

describe('media and captions', () => {
  test('have links that may expire or be bound to the client', () => {
    const opens = (id: string, linkClient: { agent: string; country: string }) => {
      const video = findVideo(id);
      const members = video === undefined ? [] : signedMembers(video, { itag: '140' }, { agent: 'A', country: 'US' });
      return openLink(new Map(members), linkClient)?.id;
    };
    const [same, otherAgent, otherExit] = [
      { agent: 'A', country: 'US' },
      { agent: 'B', country: 'US' },
      { agent: 'A', country: 'FR' },
    ];
    for (const id of ['lab-plain30', 'lab-ua-only', 'lab-ip-only']) expect(opens(id, same)).toBe(id);
    expect([opens('lab-plain30', otherAgent), opens('lab-plain30', otherExit)]).toEqual(['lab-plain30', 'lab-plain30']);
    expect([opens('lab-ua-only', otherAgent), opens('lab-ip-only', otherExit), opens('lab-expired', same)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('have captions that are manual, automatic, translated, empty or absent', async () => {
    const tracks = async (id: string) => under(await web(id), 'captionTracks').flat() as unknown as Value[];
    const lines = async (track: Value | undefined, more: string) =>
      (await fetchThrough(lab, `${track?.baseUrl}${more}`)).body.toString();
    const [english, , machine] = await tracks(quick);
    expect([english?.vssId, machine?.vssId, machine?.kind]).toEqual(['.en', 'a.en', 'asr']);
    expect(JSON.parse(await lines(english, '&fmt=json3'))).toMatchObject({
      events: [{ tStartMs: 0, segs: [{ utf8: '[en] Line 1' }] }],
    });
    expect(JSON.parse(await lines(machine, '&fmt=json3'))).toMatchObject({
      events: [{}, { segs: [{ utf8: '[en]' }, {}, {}] }, { aAppend: 1 }],
    });
    expect(await lines(english, '&fmt=vtt&tlang=fr')).toBe('WEBVTT\n\n00:00:00.000 --> 00:00:02.000\n[fr] Line 1\n');
    expect(await lines(english, '')).toContain('<text start="0" dur="2">');
    expect(await lines((await tracks('lab-captxpe'))[0], '&fmt=json3')).toBe('');
    expect(await tracks('lab-capt-no')).toEqual([]);
  });

  test('have JPEG images', async () => {
    for (const url of ['https://i.ytimg.com/vi/lab-plain30/default.jpg', 'https://yt3.ggpht.com/lab/thelab=s88-c']) {
      expect((await fetchThrough(lab, url)).headers['content-type']).toBe('image/jpeg');
    }
  });
});

test.each([
  ['lab-http429', 429],
  ['lab-http503', 503],
  ['lab-is-void', 200],
  ['lab-is-half', 200],
  ['lab-is-html', 200],
  ['lab-is-deep', 200],
])('the word %s anywhere in a request causes its fault', async (word, status) => {
  for (const [endpoint, body] of [
    ['player', { videoId: word }],
    ['search', { query: word }],
    ['browse', { browseId: `VLPL${word}` }],
  ] as const) {
    const text = JSON.stringify({ context: { client: { clientName: 'WEB' } }, ...body });
    const response = await fetchThrough(lab, `https://www.youtube.com/youtubei/v1/${endpoint}`, {
      method: 'POST',
      body: text,
    });
    expect(response.status).toBe(status);
    if (status === 200 && word !== 'lab-is-deep') expect(() => JSON.parse(response.body.toString())).toThrow();
  }
});

test('a fault may withhold the response, or send 64 MB', async () => {
  const at = (videoId: string, options: object) =>
    fetchThrough(lab, 'https://www.youtube.com/youtubei/v1/player', {
      method: 'POST',
      body: JSON.stringify({ context: { client: { clientName: 'WEB' } }, videoId }),
      ...options,
    });
  expect(await at('lab-is-slow', { timeoutMs: 200 })).toMatchObject({ status: 0, broken: true });
  const huge = await at('lab-is-huge', { enough: 1000 });
  expect(huge.headers['content-length']).toBe(`${64 * 1024 * 1024}`);
});
