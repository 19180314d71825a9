import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import type { Endpoint } from '../platform.ts';
import { fakeSite, type Reply, type SeenRequest } from '../testing/fake-site.ts';
import { readInstagramClient } from './client.ts';
import { createInstagram } from './index.ts';

const code = 'DdG4RIxIPyf';
const pk = '3983118388705688735';
const lsd = '<script>["LSD",[],{"token":"AbC-1"},323]</script>';
const route = (name: string) =>
  `<script type="application/json" data-sjs>{"canonicalRouteName":"comet.igweb.${name}"}</script>`;
const block = (data: unknown) =>
  `<script type="application/json" data-sjs>${JSON.stringify({ require: [[{ __bbox: { result: { data } } }]] })}</script>`;
const shell = lsd + route('PolarisLoggedOutDesktopWWWPostRoute');

const file = (kind: string, attributes: string) =>
  `<AdaptationSet contentType="${kind}"><Representation ${attributes}><BaseURL>https://cdn.example/${kind}.mp4?oe=6AC3D731</BaseURL></Representation></AdaptationSet>`;
const manifest = `<MPD mediaPresentationDuration="PT10S"><Period>${file('video', 'id="1v" bandwidth="4000000" codecs="avc1.64001f" width="1080" height="1920"')}${file('audio', 'id="2a" bandwidth="64000" codecs="mp4a.40.2"')}</Period></MPD>`;
const reel = {
  pk,
  code,
  media_type: 2,
  product_type: 'clips',
  taken_at: 1,
  original_width: 1080,
  original_height: 1920,
  user: { pk: '787132', id: '17841400573960012', username: 'natgeo' },
  video_versions: [
    { type: 101, url: 'https://cdn.example/720.mp4', width: 720, height: 1280 },
    { type: 102, url: 'https://cdn.example/720.mp4', width: 720, height: 1280 },
  ],
  image_versions2: { candidates: [{ url: 'https://cdn.example/c.jpg', width: 1080, height: 1920 }] },
  video_dash_manifest: manifest,
};
const xig = (media: unknown) => ({ xig_polaris_media: { code, if_not_gated_logged_out: media, gating_ruling: null } });
const graph = { __typename: 'XDTGraphImage', id: pk, shortcode: code, display_url: 'https://cdn.example/d.jpg' };

type Kind = 'page' | 'home' | 'graphql' | 'clips' | 'shortcode' | 'embed' | 'ruling' | 'api' | 'music' | 'share';

function kindOf({ url, body }: SeenRequest): Kind {
  const { pathname } = url;
  if (pathname === '/') return 'home';
  if (pathname.startsWith('/share/')) return 'share';
  if (pathname.includes('/embed/')) return 'embed';
  if (pathname === '/api/graphql') return 'graphql';
  if (pathname.startsWith('/graphql/query')) return body === undefined ? 'clips' : 'shortcode';
  if (pathname.includes('get_ruling')) return 'ruling';
  if (pathname.includes('web_profile_info')) return 'api';
  return pathname.includes('/clips/music/') ? 'music' : 'page';
}

function ask(path: string, parameters: Record<string, string>, replies: Partial<Record<Kind, Reply>>) {
  const endpoint = createInstagram().endpoints.find((one) => one.path === path) as Endpoint;
  const site = fakeSite((request) => replies[kindOf(request)] ?? { status: 500, body: '' });
  return {
    extraction: endpoint.extract(parameters, site.context),
    kinds: () => site.seen.map(kindOf),
    seen: site.seen,
  };
}

const post = (replies: Partial<Record<Kind, Reply>>, shortcode = code) =>
  ask('/media/post/details', { shortcode }, replies);

describe('/media/post/details', () => {
  it('takes one request where the page has the post', async () => {
    const { extraction, kinds, seen } = post({ page: { body: lsd + block(xig(reel)) } });
    const { contents, metadata } = await extraction;
    expect(kinds()).toEqual(['page']);
    expect(seen[0]?.headers['sec-fetch-mode']).toBe('navigate');
    expect(contents?.[0]?.videos?.map(({ item }) => item.label)).toEqual(['720p', '1080p']);
    expect(contents?.[0]?.audios?.map(({ item }) => item.repId)).toEqual(['2a']);
    expect(metadata).toMatchObject({
      thumbnailUrl: 'https://cdn.example/c.jpg',
      author: { id: '787132', userId: '787132', username: 'natgeo' },
      additionalData: { source: 'page', id: pk, shortcode: code, type: 'reel' },
    });
  });

  it('has one content for each item of a carousel, in order', async () => {
    const photo = { media_type: 1, image_versions2: { candidates: [{ url: 'https://cdn.example/1.jpg' }] } };
    const carousel = { ...reel, media_type: 8, video_versions: null, carousel_media: [photo, reel, photo] };
    const { contents } = await post({ page: { body: block(xig(carousel)) } }).extraction;
    expect(contents?.map(({ videos = [] }) => videos.length)).toEqual([0, 2, 0]);
  });

  it('answers without the qualities of a manifest that cannot be read, and says so', async () => {
    const broken = { ...reel, video_dash_manifest: '<!DOCTYPE a [<!ENTITY x "y">]><MPD>&x;</MPD>' };
    const { contents, notes } = await post({ page: { body: block(xig(broken)) } }).extraction;
    expect(contents?.[0]?.videos).toHaveLength(1);
    expect(notes).toEqual([expect.stringContaining('Some qualities are missing')]);
  });

  it.each<[Kind, Reply, Kind[]]>([
    ['graphql', { body: { data: xig(reel) } }, ['page', 'graphql']],
    [
      'clips',
      {
        body: {
          data: { xdt_api__v1__clips__clips_on_logged_out_connection_v2: { edges: [{ node: { media: reel } }] } },
        },
      },
      ['page', 'graphql', 'clips'],
    ],
    [
      'shortcode',
      { body: { data: { xdt_shortcode_media: graph }, errors: [{ message: 'partial' }] } },
      ['page', 'graphql', 'clips', 'shortcode'],
    ],
    [
      'embed',
      { body: `{"contextJSON":${JSON.stringify(JSON.stringify({ gql_data: { shortcode_media: graph } }))}}` },
      ['page', 'graphql', 'clips', 'shortcode', 'embed'],
    ],
  ])('goes on to %s where what comes before has nothing', async (kind, reply, order) => {
    const { extraction, kinds, seen } = post({ page: { body: shell }, [kind]: reply });
    expect((await extraction).metadata.additionalData).toMatchObject({ source: kind, id: pk });
    expect(kinds()).toEqual(order);
    expect(seen[1]).toMatchObject({
      headers: { 'x-fb-lsd': 'AbC-1' },
      body: { lsd: 'AbC-1', variables: `{"media_id":"${pk}"}` },
    });
  });

  it('does not take the end of a query for the end of the post', async () => {
    const gone = { status: 404, body: '' };
    const { extraction, kinds } = post({ page: { body: shell }, graphql: gone, clips: gone, shortcode: gone });
    await expect(extraction).rejects.toMatchObject({ code: 'non_2xx_response' });
    expect(kinds()).toEqual(['page', 'graphql', 'clips', 'shortcode', 'embed']);
  });

  it('asks for a session once where the page has none', async () => {
    const { extraction, kinds } = post({ page: new MillraceError('operation_timeout', 'Late.'), home: { body: lsd } });
    await expect(extraction).rejects.toMatchObject({ code: 'operation_timeout' });
    expect(kinds()).toEqual(['page', 'home', 'graphql', 'clips', 'shortcode', 'embed']);
  });

  it.each<[string, Reply, object, number]>([
    ['not found', { status: 404, body: '<html>' }, { code: 'not_found' }, 1],
    ['error route', { body: route('PolarisErrorRoute') }, { code: 'not_found' }, 1],
    ['private page', { body: '"polaris.privatePostPage"' }, { code: 'unavailable' }, 1],
    ['private owner', { body: block(xig({ ...reel, user: { is_private: true } })) }, { code: 'unavailable' }, 1],
    ['data-less shell', { body: shell }, { code: 'non_2xx_response', retryable: true }, 5],
    ['too many requests', { status: 429, body: lsd }, { code: 'non_2xx_response', retryable: true }, 5],
    [
      'throttle as 401',
      { status: 401, body: { message: 'Please wait a few minutes before you try again.', require_login: true } },
      { code: 'non_2xx_response', reason: 'Please wait a few minutes before you try again.' },
      6,
    ],
    [
      'challenge',
      { body: lsd, url: 'https://www.instagram.com/challenge/?next=/' },
      { code: 'non_2xx_response', retryable: true },
      5,
    ],
    [
      'login redirect',
      { body: lsd, url: 'https://www.instagram.com/accounts/login/?next=/p/x' },
      { code: 'signin_required', retryable: true },
      5,
    ],
    ['login route', { body: lsd + route('PolarisCAAIGLoginHomepageRoute') }, { code: 'signin_required' }, 5],
    ['something else', { body: `${lsd}<html>` }, { code: 'invalid_response_data' }, 5],
  ])('tells %s', async (_, page, error, requests) => {
    const { extraction, seen } = post({ page });
    await expect(extraction).rejects.toMatchObject(error);
    expect(seen.length).toBeLessThanOrEqual(requests + 1);
  });

  it.each([
    ['Restricted Video', 'age_restricted'],
    ['Something', 'signin_required'],
  ])('ends at a gate with the ruling "%s": %s', async (title, expected) => {
    const gated = { xig_polaris_media: { code, if_not_gated_logged_out: null, gating_ruling: {} } };
    const { extraction, kinds } = post({ page: { body: block(gated) }, ruling: { body: { title } } });
    await expect(extraction).rejects.toMatchObject({ code: expected, reason: title });
    expect(kinds()).toEqual(['page', 'ruling']);
  });

  it('never takes another post of the same page', async () => {
    const { extraction } = post({ page: { body: lsd + block(xig({ ...reel, code: 'DbIdlf0j6uA' })) } });
    await expect(extraction).rejects.toMatchObject({ code: 'invalid_response_data' });
  });

  it('reads the code of a private account, and calls it private when nothing answers', async () => {
    const shared = code + 'x'.repeat(28);
    expect((await post({ page: { body: block(xig(reel)) } }, shared).extraction).contents).toHaveLength(1);
    await expect(post({ page: { body: shell } }, shared).extraction).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('follows short links', async () => {
    const share = { body: '', url: `https://www.instagram.com/reel/${code}/` };
    const { extraction, kinds } = post(
      { share, page: { body: block(xig(reel)) } },
      'https://www.instagram.com/share/reel/X1',
    );
    await extraction;
    expect(kinds()).toEqual(['share', 'page']);
  });

  it.each([
    ['https://www.dailymotion.com/video/x8abc12', 'invalid_platform_url'],
    ['https://www.instagram.com/natgeo/', 'invalid_url'],
    ['a b', 'invalid_params'],
  ])('refuses %s: %s', async (shortcode, expected) => {
    await expect(post({}, shortcode).extraction).rejects.toMatchObject({ code: expected, parameter: 'shortcode' });
  });
});

describe('/media/audio/details', () => {
  const audio = (replies: Partial<Record<Kind, Reply>>) => ask('/media/audio/details', { audioId: '123' }, replies);
  const sound = {
    items: [{ media: reel }],
    metadata: { original_sound_info: { audio_asset_id: '123', original_audio_title: 'T' } },
  };

  it('has one content a reel', async () => {
    const { extraction, seen } = audio({
      page: { body: lsd },
      music: { body: `for (;;);${JSON.stringify({ payload: sound })}` },
    });
    expect(await extraction).toMatchObject({
      contents: [{ videos: [{ item: { label: '720p' } }, { item: { label: '1080p' } }] }],
      metadata: { additionalData: { source: 'api', audio: { id: '123', title: 'T' }, reels: [{ shortcode: code }] } },
    });
    expect(seen[1]?.body).toMatchObject({ audio_cluster_id: '123', max_id: '', jazoest: '2324' });
  });

  it('tells which sound it is where the reels are kept from visitors', async () => {
    const head = `${lsd}<meta property="og:title" content="Some &amp; One | A song on Instagram"/>`;
    const { metadata, notes } = await audio({ page: { body: head }, music: { status: 403, body: '' } }).extraction;
    expect(metadata.additionalData).toMatchObject({ source: 'page', audio: { artist: 'Some & One', title: 'A song' } });
    expect(notes).toEqual([expect.stringContaining('signed-in')]);
  });

  it('is never an empty success', async () => {
    const closed = audio({ page: { body: lsd }, music: { body: '<html>' } });
    await expect(closed.extraction).rejects.toMatchObject({ code: 'signin_required' });
    const gone = audio({ page: { status: 404, body: lsd }, music: { status: 403, body: '' } });
    await expect(gone.extraction).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('profiles', () => {
  const user = { pk: '787132', id: '17841400573960012', username: 'natgeo', follower_count: 5 };
  const profile = (path: string, replies: Partial<Record<Kind, Reply>>, username = '@NatGeo') =>
    ask(`/user/profile/${path}`, { username }, replies);

  it('come from the page', async () => {
    const { extraction, kinds } = profile('details', { page: { body: block({ xig_user_by_username: user }) } });
    expect((await extraction).metadata).toMatchObject({
      author: { userId: '787132', username: 'natgeo', followerCount: 5 },
      additionalData: { source: 'page' },
    });
    expect(kinds()).toEqual(['page']);
  });

  it('come from the interface where the page has nothing', async () => {
    const { extraction } = profile('id-from-username', {
      page: { body: shell },
      api: { body: { data: { user: { id: '787132', username: 'natgeo' } } } },
    });
    expect((await extraction).metadata).toEqual({
      author: { userId: '787132', username: 'natgeo' },
      additionalData: { source: 'api' },
    });
  });

  it.each<[string, Partial<Record<Kind, Reply>>, string]>([
    ['no such page', { page: { status: 404, body: '' } }, 'not_found'],
    ['no such account', { page: { body: shell }, api: { body: { data: { user: null } } } }, 'not_found'],
    ['a throttle', { page: { body: shell }, api: { status: 401, body: { require_login: true } } }, 'non_2xx_response'],
  ])('tell %s', async (_, replies, expected) => {
    await expect(profile('details', replies).extraction).rejects.toMatchObject({ code: expected });
  });

  it.each([
    ['explore', 'invalid_params'],
    [`https://www.instagram.com/p/${code}/`, 'invalid_url'],
  ])('refuse %s: %s', async (username, expected) => {
    await expect(profile('details', {}, username).extraction).rejects.toMatchObject({ code: expected });
  });
});

describe('readInstagramClient', () => {
  it('changes members, and refuses what it does not know', () => {
    expect(readInstagramClient('{"postDocId":"1"}')).toMatchObject({ postDocId: '1', appId: '936619743392459' });
    for (const wrong of ['', '[]', '{"x":"1"}', '{"appId":1}', '{"userAgent":"a\\nb"}']) {
      expect(() => readInstagramClient(wrong)).toThrow(/^(must|knows|has)/);
    }
  });
});
