import { describe, expect, it, vi } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import { fakeSite, type Reply, type SeenRequest, withStrategy } from '../../testing/fake-site.ts';
import { defaultSite } from '../site.ts';
import { videoDetails } from './video-details.ts';

const master =
  '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800,CODECS="mp4a.40.2,avc1.64001f",RESOLUTION=1280x720,NAME="720"\nhttps://vod.example/720.m3u8\n';
const video = {
  id: 'x1abc',
  title: 'A title',
  duration: 10,
  mode: 'vod',
  created_time: 0,
  owner: { id: 'x2', screenname: 'Some One', username: 'someone', url: 'https://www.dailymotion.com/someone' },
  thumbnails: { 60: 'https://s1.dmcdn.net/v/A/x60', 1080: 'https://s1.dmcdn.net/v/B/x1080' },
  qualities: {
    auto: [
      {
        type: 'application/x-mpegURL',
        url: 'https://cdndirector.dailymotion.com/cdn/manifest/video/x1abc.m3u8?sec=a(b)',
      },
    ],
  },
};
const refuse = (code: string) => ({ error: { code, title: `Refused ${code}`, status_code: 403 } });
const down = () => new MillraceError('connection_error', 'No connection.');

/** Identifies which of the site's endpoints a request is for. */
function kindOf({ url }: SeenRequest): 'player' | 'embed' | 'manifest' | 'rest' {
  if (url.hostname === 'api.dailymotion.com') return 'rest';
  if (url.hostname === 'geo.dailymotion.com') return 'embed';
  return url.pathname.startsWith('/player/metadata/') ? 'player' : 'manifest';
}

type Replies = { [Kind in ReturnType<typeof kindOf>]?: Reply | ((request: SeenRequest) => Reply) };

function site(replies: Replies = {}, countries: string[] = []) {
  const usual: Replies = {
    player: { body: video },
    embed: down(),
    manifest: { body: master },
    rest: { body: { views_total: 5, likes_total: 2, description: 'Words', geoblocking: ['allow'] } },
  };
  return fakeSite(
    (request) => {
      const reply = { ...usual, ...replies }[kindOf(request)];
      if (reply === undefined) throw new Error('no reply');
      return typeof reply === 'function' ? reply(request) : reply;
    },
    { countries },
  );
}

const kinds = (requests: readonly SeenRequest[]) => requests.map(kindOf);
const details = ({ context }: ReturnType<typeof site>, parameters = {}) =>
  videoDetails(defaultSite).extract({ videoId: 'x1abc', ...parameters }, context);

describe('videoDetails', () => {
  it('returns media and metadata', async () => {
    const world = site();
    const extraction = await details(world);
    expect(kinds(world.requests)).toEqual(['player', 'manifest', 'rest']);
    expect(extraction.contents?.[0]?.videos?.map(({ item }) => item.label)).toEqual(['hls-720']);
    expect(extraction).not.toHaveProperty('country');
    expect(extraction).not.toHaveProperty('notes');
    expect(extraction.metadata).toEqual({
      title: 'A title',
      thumbnailUrl: 'https://s1.dmcdn.net/v/B/x1080',
      author: { id: 'x2', name: 'Some One', handle: 'someone', url: 'https://www.dailymotion.com/someone' },
      additionalData: {
        id: 'x1abc',
        source: 'player',
        description: 'Words',
        duration: 10,
        createdAt: '1970-01-01T00:00:00.000Z',
        createdTime: 0,
        mode: 'vod',
        isLive: false,
        statistics: { viewCount: 5, likeCount: 2 },
      },
    });
  });

  it("sends a desktop browser's headers and leaves the signed query unchanged", async () => {
    const world = site();
    await details(world);
    const [player, manifest, rest] = world.requests;
    expect(player?.url.href).toBe('https://www.dailymotion.com/player/metadata/video/x1abc?app=com.dailymotion.neon');
    expect(player?.headers).toMatchObject({ accept: 'application/json', referer: 'https://www.dailymotion.com/' });
    expect(player?.headers['user-agent']).toMatch(/Windows/);
    expect(manifest?.url.href).toBe('https://cdndirector.dailymotion.com/cdn/manifest/video/x1abc.m3u8?sec=a(b)');
    expect(manifest?.headers).toMatchObject({ priority: 'u=1, i' });
    expect(rest?.url.searchParams.get('fields')?.split(',')).toContain('geoblocking');
  });

  it('accepts a link in a text', async () => {
    const world = site();
    await details(world, { videoId: 'Watch https://dai.ly/x1abc' });
    expect(world.requests[0]?.url.pathname).toBe('/player/metadata/video/x1abc');
  });

  it.each([
    ['', 'invalid_params'],
    ['https://www.dailymotion.com/somebody', 'invalid_url'],
    ['https://pin.it/4AbCdEf', 'invalid_platform_url'],
  ])('rejects videoId %j without sending a request', async (videoId, code) => {
    const world = site();
    await expect(details(world, { videoId })).rejects.toMatchObject({ code, parameter: 'videoId' });
    expect(world.requests).toEqual([]);
  });

  it.each<[string, Reply, number]>([
    ['refuses the video', { status: 403, body: { error: { type: 'access_forbidden', code: 403 } } }, 0],
    ['is not JSON', { status: 503, body: '<html>' }, 1],
    ['is gone', { status: 404, body: '<html>' }, 1],
    ['is removed', { status: 410, body: '' }, 1],
    ['forbids access', { status: 403, body: 'Forbidden' }, 1],
    ['has changed', { body: { data: { views: 5 } } }, 1],
  ])('succeeds without the REST interface when it %s', async (_, rest, notes) => {
    const extraction = await details(site({ rest }));
    expect(extraction.metadata.title).toBe('A title');
    expect(extraction.metadata.additionalData).not.toHaveProperty('statistics');
    expect(extraction.notes ?? []).toEqual(Array(notes).fill(expect.stringMatching(/counts are missing/)));
    expect(extraction).not.toHaveProperty('incomplete');
  });

  it('is incomplete if the REST interface cannot be reached, so that it is not cached', async () => {
    expect(await details(site({ rest: down() }))).toMatchObject({
      notes: [expect.stringMatching(/counts are missing/)],
      incomplete: true,
    });
  });

  it('does not wait long for the REST interface', async () => {
    vi.useFakeTimers();
    try {
      const { context } = fakeSite((request) => {
        if (kindOf(request) === 'rest') return new Promise<Reply>(() => undefined);
        return { body: kindOf(request) === 'player' ? video : master };
      });
      const result = videoDetails(defaultSite).extract({ videoId: 'x1abc' }, context);
      await vi.advanceTimersByTimeAsync(2_500);
      await expect(result).resolves.toMatchObject({
        notes: [expect.stringMatching(/counts are missing/)],
        incomplete: true,
      });
    } finally {
      vi.useRealTimers();
    }
  });

  it('reports streams and subtitles of unknown kinds', async () => {
    const qualities = { ...video.qualities, 720: [{ type: 'application/dash+xml', url: 'https://a.example/m.mpd' }] };
    const changed = { ...video, qualities, subtitles: { data: { en: { file: 'https://a.example/en.srt' } } } };
    const { contents, unread } = await details(site({ player: { body: changed } }));
    expect(contents?.[0]?.videos).toHaveLength(1);
    expect(unread).toEqual({ 'application/dash+xml': 1, subtitle: 1 });
  });

  it('fills in fields from the REST interface that the metadata lacks', async () => {
    const { title, owner, thumbnails, created_time, ...bare } = video;
    const rest = {
      title,
      created_time,
      'owner.id': owner.id,
      'owner.screenname': owner.screenname,
      thumbnail_1080_url: thumbnails[1080],
    };
    const { metadata } = await details(site({ player: { body: bare }, rest: { body: rest } }));
    expect(metadata).toMatchObject({
      title,
      thumbnailUrl: thumbnails[1080],
      author: { id: 'x2', name: 'Some One' },
      additionalData: { createdTime: 0 },
    });
  });

  it('returns an explicit video that has streams, with its age limit', async () => {
    const { metadata } = await details(site({ player: { body: { ...video, explicit: true } } }));
    expect(metadata.additionalData).toMatchObject({ explicit: true, ageLimit: 18 });
  });

  it('lists a live stream and reports that it cannot be rendered', async () => {
    const { contents, metadata } = await details(site({ player: { body: { ...video, mode: 'live', duration: 0 } } }));
    expect(contents?.[0]?.unrenderable).toMatch(/live/);
    expect(metadata.additionalData).toMatchObject({ isLive: true });
  });
});

describe('videoDetails after a failure', () => {
  it.each<[string, Replies, Record<string, unknown>]>([
    ['a deleted video', { player: { body: refuse('DM002') } }, { code: 'not_found', reason: 'Refused DM002' }],
    ['a private video', { player: { status: 403, body: refuse('DM010') } }, { code: 'unavailable' }],
    ['an adult video', { player: { body: refuse('DM008') } }, { code: 'age_restricted' }],
    ['DRM', { player: { body: { ...video, protected_delivery: true } } }, { code: 'unavailable' }],
    [
      'a blocked manifest',
      { manifest: { status: 403, body: '<html>' } },
      { code: 'non_2xx_response', retryable: true },
    ],
    ['an unreachable CDN', { manifest: down() }, { code: 'connection_error' }],
    ['a broken manifest', { manifest: { body: '#EXTM3U\nx' } }, { code: 'invalid_response_data' }],
    ['no stream', { player: { body: { ...video, qualities: {} } } }, { code: 'invalid_response_data' }],
    [
      'no stream, explicit',
      { player: { body: { ...video, qualities: {}, explicit: true } } },
      { code: 'age_restricted' },
    ],
    ['no stream, private', { player: { body: { ...video, qualities: {}, private: true } } }, { code: 'unavailable' }],
    [
      'no stream, password',
      { player: { body: { ...video, qualities: {}, is_password_protected: true } } },
      { code: 'unavailable' },
    ],
    [
      'no stream, live',
      { player: { body: { ...video, qualities: {}, mode: 'live' } } },
      { code: 'unavailable', retryable: true },
    ],
  ])('returns the right error for %s', async (_, replies, expected) => {
    await expect(details(site(replies))).rejects.toMatchObject(expected);
  });

  it('returns whole files with a note when the manifest cannot be read', async () => {
    const qualities = { ...video.qualities, 480: [{ type: 'video/mp4', url: 'https://proxy.example/480.mp4' }] };
    const world = site({ player: { body: { ...video, qualities } }, manifest: { status: 403, body: 'no' } });
    const { contents, notes, incomplete } = await details(world);
    expect(contents?.[0]?.videos?.map(({ item }) => item.label)).toEqual(['http-480']);
    expect(notes).toEqual([expect.stringMatching(/missing.*403/)]);
    expect(incomplete).toBe(true);
    const changed = await details(site({ player: { body: { ...video, qualities } }, manifest: { body: '{"a":1}' } }));
    expect(changed.unread).toEqual({ json_manifest: 1 });
  });

  it.each<[string, Reply]>([
    ['no connection', down()],
    ['a challenge page', { status: 403, body: '<html>' }],
    ['data without an ID', { body: { title: 'x' } }],
  ])('falls back to the embedded player on %s', async (_, player) => {
    const world = site({ player, embed: { body: video } });
    const { metadata } = await details(world);
    expect(kinds(world.requests).slice(0, 2)).toEqual(['player', 'embed']);
    expect(world.requests[1]?.url.searchParams.get('embedder')).toBe('https://www.dailymotion.com/video/x1abc');
    expect(metadata.additionalData).toMatchObject({ source: 'embed' });
  });

  it('reports the first failure when the embedded player fails too', async () => {
    const embed = new MillraceError('operation_timeout', 'Late.');
    await expect(details(site({ player: { status: 429, body: 'slow down' }, embed }))).rejects.toMatchObject({
      code: 'non_2xx_response',
      cause: { errors: [{ code: 'non_2xx_response' }, { code: 'operation_timeout' }] },
    });
  });

  it('does not fall back to the embedded player after a refusal by the site or by the address guard', async () => {
    const privateVideo = site({ player: { body: refuse('DM010') }, embed: { body: video } });
    await expect(details(privateVideo)).rejects.toMatchObject({ code: 'unavailable' });
    expect(kinds(privateVideo.requests)).toEqual(['player']);
    const guarded = site({ player: new MillraceError('address_refused', 'No.'), embed: { body: video } });
    await expect(details(guarded)).rejects.toMatchObject({ code: 'address_refused' });
    expect(kinds(guarded.requests)).toEqual(['player']);
  });

  it('propagates an error that does not come from the site', async () => {
    const bug = new TypeError('a bug');
    await expect(details(site({ player: bug }))).rejects.toBe(bug);
    await expect(details(site({ rest: bug }))).rejects.toBe(bug);
    await expect(details(site({ manifest: bug }))).rejects.toBe(bug);
  });

  it("stops when the extraction's time is over", async () => {
    const signal = AbortSignal.abort(new MillraceError('operation_timeout', 'Over.'));
    const replies: Record<string, Reply> = { player: { body: video }, manifest: { body: master } };
    const { context } = fakeSite((request) => replies[kindOf(request)] ?? down(), { signal });
    await expect(videoDetails(defaultSite).extract({ videoId: 'x1abc' }, context)).rejects.toMatchObject({
      code: 'operation_timeout',
    });
  });

  it.each<[string, Record<string, unknown>, Record<string, number>]>([
    [
      'streams',
      { qualities: { auto: [{ type: 'application/dash+xml', url: 'https://a.example/' }] } },
      { 'application/dash+xml': 1 },
    ],
    ['a list of streams', { qualities: undefined, formats: video.qualities, explicit: true }, { qualities: 1 }],
    ['an ID', { id: undefined, videoId: 'x1abc' }, { video: 1 }],
  ])('reports that %s cannot be read, and gives no other reason', async (_, members, unread) => {
    const body = { ...video, ...members };
    await expect(details(site({ player: { body }, embed: { body } }))).rejects.toMatchObject({
      code: 'invalid_response_data',
      unread,
    });
  });

  it('tries the embedded player first if media of the other one was recently refused', async () => {
    const world = site({ embed: { body: video } });
    const context = { ...world.context, profileOrder: (profiles: readonly string[]) => profiles.toReversed() };
    const { profile, notes } = await details({ ...world, context });
    expect(kinds(world.requests).slice(0, 1)).toEqual(['embed']);
    expect(profile).toBe('embed');
    expect(notes).toContain(
      'The media links come from the client profile embed, because media of player was recently refused.',
    );
    const usual = await details(site({ player: down(), embed: { body: video } }));
    expect([usual.profile, usual.notes]).toEqual(['embed', undefined]);
  });

  it.each([
    ['player', ['player', 'manifest', 'rest']],
    ['embed', ['embed', 'manifest', 'rest']],
  ])('uses only the strategy %s if a probe requests it', async (strategy, expected) => {
    const world = site({ embed: { body: video } });
    const { metadata } = await videoDetails(defaultSite).extract(
      { videoId: 'x1abc' },
      withStrategy(world.context, strategy),
    );
    expect(kinds(world.requests)).toEqual(expected);
    expect(metadata.additionalData?.source).toBe(strategy);
    const broken = site({ player: down(), embed: down() });
    await expect(
      videoDetails(defaultSite).extract({ videoId: 'x1abc' }, withStrategy(broken.context, strategy)),
    ).rejects.toMatchObject({
      code: 'connection_error',
    });
    expect(kinds(broken.requests)).toEqual([strategy]);
  });

  it.each([
    ['DM016', (request: SeenRequest) => request.url.searchParams.get('embedder') === 'https://www.dailymotion.com'],
    ['DM014', (request: SeenRequest) => /Mobile/.test(request.headers['user-agent'] ?? '')],
  ])('retries once after %s', async (code, isOtherWay) => {
    const open = site({ player: (request) => ({ body: isOtherWay(request) ? video : refuse(code) }) });
    await expect(details(open)).resolves.toMatchObject({ metadata: { title: 'A title' } });
    const restricted = site({ player: { body: refuse(code) } });
    await expect(details(restricted)).rejects.toMatchObject({ code: 'unavailable', reason: `Refused ${code}` });
    expect(kinds(restricted.requests)).toEqual(['player', 'player']);
  });
});

describe('a region-locked video', () => {
  const closedBut =
    (...open: string[]) =>
    (request: SeenRequest): Reply => ({
      body: open.includes(request.country ?? '') ? video : refuse('DM007'),
    });
  const rest = (...geoblocking: string[]): Reply => ({ body: { views_total: 5, geoblocking } });

  it('is fetched entirely through an allowed country, the preferred one first', async () => {
    const world = site({ player: closedBut('FR', 'BE'), rest: rest('allow', 'be', 'fr', 'ch') }, ['BE', 'US', 'FR']);
    const extraction = await details(world);
    expect(extraction.country).toBe('FR');
    expect(extraction.metadata.additionalData).toMatchObject({
      allowedCountries: ['BE', 'FR', 'CH'],
      statistics: { viewCount: 5 },
    });
    expect(world.requests.map((request) => [kindOf(request), request.country])).toEqual([
      ['player', undefined],
      ['rest', undefined],
      ['player', 'FR'],
      ['manifest', 'FR'],
    ]);
  });

  it('is fetched through a country that is not denied', async () => {
    const extraction = await details(
      site({ player: closedBut('JP'), rest: rest('deny', 'us', 'fr') }, ['FR', 'US', 'JP']),
    );
    expect(extraction.country).toBe('JP');
  });

  it('is tried through at most three exits, skipping broken ones', async () => {
    const world = site(
      {
        player: (request) => (request.country === 'FR' ? down() : { body: refuse('DM007') }),
        rest: rest('deny', 'us'),
      },
      ['AA', 'BB', 'CC', 'FR'],
    );
    // A broken exit leaves open whether the video is available in its country.
    await expect(details(world)).rejects.toMatchObject({
      code: 'unavailable',
      retryable: true,
      detail: { deniedCountries: ['US'] },
    });
    expect(world.requests.filter((request) => kindOf(request) === 'player').map(({ country }) => country)).toEqual([
      undefined,
      'FR',
      'AA',
      'BB',
    ]);
  });

  it.each<[string, Reply, string[], Record<string, unknown>, Record<string, unknown> | undefined, boolean]>([
    ['no exit is in an allowed one', rest('allow', 'fr'), ['US'], {}, { allowedCountries: ['FR'] }, false],
    ['every exit is in a denied one', rest('deny', 'us'), ['US'], {}, { deniedCountries: ['US'] }, false],
    ['the caller chose it', rest('allow', 'fr'), ['FR'], { countryCode: 'US' }, { allowedCountries: ['FR'] }, false],
    ['the list of countries is missing, and no exit succeeds', down(), ['US'], {}, undefined, true],
  ])('is unavailable when %s', async (_, facts, countries, parameters, detail, retryable) => {
    const world = site({ player: closedBut('FR'), rest: facts }, countries);
    await expect(details(world, parameters)).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'Refused DM007',
      detail,
      retryable,
    });
  });

  it.each<[string, Reply]>([
    ['cannot be reached', down()],
    ['is gone', { status: 404, body: '<html>' }],
  ])('is tried in the preferred countries when the list of countries %s', async (_, facts) => {
    const world = site({ player: closedBut('GB'), rest: facts }, ['AA', 'GB', 'BB', 'FR']);
    const extraction = await details(world);
    expect(extraction).toMatchObject({ country: 'GB', notes: [expect.stringMatching(/counts are missing/)] });
    expect(world.requests.map((request) => [kindOf(request), request.country])).toEqual([
      ['player', undefined],
      ['rest', undefined],
      ['player', 'FR'],
      ['player', 'GB'],
      ['manifest', 'GB'],
    ]);
  });

  it('is fetched through another country when countryCode is worldwide', async () => {
    const world = site({ player: closedBut('FR'), rest: rest('allow', 'fr') }, ['FR']);
    await expect(details(world, { countryCode: 'worldwide' })).resolves.toMatchObject({ country: 'FR' });
  });

  it('is reported with the refusal of the other country if that refusal differs', async () => {
    const player = ({ country }: SeenRequest) => ({ body: refuse(country === 'FR' ? 'DM010' : 'DM007') });
    await expect(details(site({ player, rest: rest('allow', 'fr') }, ['FR']))).rejects.toMatchObject({
      reason: 'Refused DM010',
    });
  });
});
