import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import type { Reply } from '../../testing/fake-site.ts';
import { siteSetting } from '../site.ts';
import { block, code, extract, graph, type Kind, lsd, pk, post, reel, shell, xig } from '../testing/fake-instagram.ts';

describe('/media/post/details', () => {
  it('sends one request when the page contains the post', async () => {
    const { extraction, kinds, requests } = post({ page: { body: lsd + block(xig(reel)) } });
    const { contents, metadata } = await extraction;
    expect(kinds()).toEqual(['page']);
    expect(requests[0]?.headers['sec-fetch-mode']).toBe('navigate');
    expect(contents?.[0]?.videos?.map(({ item }) => item.label)).toEqual(['720p', '1080p']);
    expect(contents?.[0]?.audios?.map(({ item }) => item.repId)).toEqual(['2a']);
    expect(metadata).toMatchObject({
      thumbnailUrl: 'https://cdn.example/c.jpg',
      author: { id: '787132', userId: '787132', username: 'natgeo' },
      additionalData: { source: 'page', id: pk, shortcode: code, type: 'reel' },
    });
  });

  it('has one content item per item of a carousel, in order', async () => {
    const photo = { media_type: 1, image_versions2: { candidates: [{ url: 'https://cdn.example/1.jpg' }] } };
    const carousel = { ...reel, media_type: 8, video_versions: null, carousel_media: [photo, reel, photo] };
    const { contents } = await post({ page: { body: block(xig(carousel)) } }).extraction;
    expect(contents?.map(({ videos = [] }) => videos.length)).toEqual([0, 2, 0]);
  });

  it('omits the qualities of an unreadable manifest and adds a note', async () => {
    const brokenReel = { ...reel, video_dash_manifest: '<!DOCTYPE a [<!ENTITY x "y">]><MPD>&x;</MPD>' };
    const { contents, notes } = await post({ page: { body: block(xig(brokenReel)) } }).extraction;
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
  ])('falls back to %s when the previous strategies find nothing', async (kind, reply, order) => {
    const { extraction, kinds, requests } = post({ page: { body: shell }, [kind]: reply });
    expect((await extraction).metadata.additionalData).toMatchObject({ source: kind, id: pk });
    expect(kinds()).toEqual(order);
    expect(requests[1]).toMatchObject({
      headers: { 'x-fb-lsd': 'AbC-1' },
      body: { lsd: 'AbC-1', variables: `{"media_id":"${pk}"}` },
    });
  });

  it("takes a file's dimensions from its link when the response has only those of the original", async () => {
    const efg = Buffer.from('{"vencode_tag":"xpv_progressive.INSTAGRAM.CLIPS.C3.720.dash_baseline_1_v1"}').toString(
      'base64',
    );
    const dimensions = { width: 1080, height: 1920 };
    const video = { ...graph, is_video: true, dimensions, video_url: `https://cdn.example/v.mp4?efg=${efg}` };
    const shortcode = { body: { data: { xdt_shortcode_media: video } } };
    const { contents } = await post({ page: { body: shell }, shortcode }).extraction;
    expect(contents?.[0]?.videos?.[0]?.item).toMatchObject({ label: '720p', metadata: { width: 720, height: 1280 } });
  });

  it('uses the query IDs from the page', async () => {
    const loader = (name: string, id: string) => ({ preloaderID: `adp_${name}RelayPreloader_6ac2`, queryID: id });
    const queries = [
      loader('PolarisLoggedOutDesktopWWWPostRootContentQuery', '111'),
      loader('PolarisPostActionLoadPostQueryQuery', '222'),
    ];
    const { extraction, requests } = post({ page: { body: shell + block(queries) } });
    await expect(extraction).rejects.toThrow();
    const queryIds = requests.flatMap(({ body }) => (body instanceof Object && 'doc_id' in body ? [body.doc_id] : []));
    expect(queryIds).toEqual(['111', '222']);
  });

  it('does not treat a failed query as proof that the post is gone', async () => {
    const unknownQuery = { status: 404, body: '' };
    const { extraction, kinds } = post({
      page: { body: shell },
      graphql: unknownQuery,
      clips: unknownQuery,
      shortcode: unknownQuery,
    });
    await expect(extraction).rejects.toMatchObject({ code: 'non_2xx_response' });
    expect(kinds()).toEqual(['page', 'graphql', 'clips', 'shortcode', 'embed']);
  });

  it('requests a session once when the page has none', async () => {
    const { extraction, kinds } = post({ page: new MillraceError('operation_timeout', 'Late.'), home: { body: lsd } });
    await expect(extraction).rejects.toMatchObject({ code: 'operation_timeout' });
    expect(kinds()).toEqual(['page', 'home', 'graphql', 'clips', 'shortcode', 'embed']);
  });

  it('never returns another post of the same page', async () => {
    const { extraction } = post({ page: { body: lsd + block(xig({ ...reel, code: 'DbIdlf0j6uA' })) } });
    await expect(extraction).rejects.toMatchObject({ code: 'invalid_response_data' });
  });

  it("recognises a private account's shortcode, and reports the post as private when every strategy fails", async () => {
    const shared = code + 'x'.repeat(28);
    expect((await post({ page: { body: block(xig(reel)) } }, shared).extraction).contents).toHaveLength(1);
    await expect(post({ page: { body: shell } }, shared).extraction).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('follows short links', async () => {
    const share = { status: 302, headers: { location: `/reel/${code}/?igsh=x` }, body: '' };
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
  ])('rejects %s: %s', async (shortcode, expected) => {
    await expect(post({}, shortcode).extraction).rejects.toMatchObject({ code: expected, parameter: 'shortcode' });
  });
});

describe('/media/audio/details', () => {
  const audio = (replies: Partial<Record<Kind, Reply>>) => extract('/media/audio/details', { audioId: '123' }, replies);
  const sound = {
    items: [{ media: reel }],
    metadata: { original_sound_info: { audio_asset_id: '123', original_audio_title: 'T' } },
  };

  it('has one content item per reel', async () => {
    const { extraction, requests } = audio({
      page: { body: lsd },
      music: { body: `for (;;);${JSON.stringify({ payload: sound })}` },
    });
    expect(await extraction).toMatchObject({
      contents: [{ videos: [{ item: { label: '720p' } }, { item: { label: '1080p' } }] }],
      metadata: { additionalData: { source: 'api', audio: { id: '123', title: 'T' }, reels: [{ shortcode: code }] } },
    });
    expect(requests[1]?.body).toMatchObject({ audio_cluster_id: '123', max_id: '', jazoest: '2324' });
  });

  it("sends the page's release values back to the site", async () => {
    const data = { haste_session: '1.HYP', client_revision: 7, hsi: '8', __spin_r: 7, __spin_b: 'trunk', __spin_t: 9 };
    const body = `${lsd}<script>["SiteData",[],${JSON.stringify(data)},317]</script>`;
    const { extraction, requests } = audio({ page: { body }, music: { body: sound } });
    await extraction;
    const release = { __hs: '1.HYP', __rev: '7', __hsi: '8', __spin_r: '7', __spin_b: 'trunk', __spin_t: '9' };
    expect(requests[1]?.body).toMatchObject(release);
  });

  it('returns the audio track when the reels are withheld from visitors', async () => {
    const head = `${lsd}<meta property="og:title" content="Some &amp; One | A song on Instagram"/>`;
    const query = audio({ page: { body: head }, music: { status: 403, body: '' } });
    const { metadata, notes, incomplete } = await query.extraction;
    // Another request while signed out would return no more.
    expect(incomplete).toBe(false);
    expect(metadata.additionalData).toMatchObject({ source: 'page', audio: { artist: 'Some & One', title: 'A song' } });
    expect(notes).toEqual([expect.stringContaining('signed-in')]);
  });

  it('returns an error instead of an empty result', async () => {
    const walled = audio({ page: { body: lsd }, music: { body: '<html>' } });
    await expect(walled.extraction).rejects.toMatchObject({ code: 'signin_required' });
    const missingSound = audio({ page: { status: 404, body: lsd }, music: { status: 403, body: '' } });
    await expect(missingSound.extraction).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('profile endpoints', () => {
  const user = { pk: '787132', id: '17841400573960012', username: 'natgeo', follower_count: 5 };
  const profile = (path: string, replies: Partial<Record<Kind, Reply>>, username = '@NatGeo') =>
    extract(`/user/profile/${path}`, { username }, replies);

  it('read the profile page', async () => {
    const { extraction, kinds } = profile('details', { page: { body: block({ xig_user_by_username: user }) } });
    expect((await extraction).metadata).toMatchObject({
      author: { userId: '787132', username: 'natgeo', followerCount: 5 },
      additionalData: { source: 'page' },
    });
    expect(kinds()).toEqual(['page']);
  });

  it('fall back to the interface when the page has no profile', async () => {
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
    [
      'a rate limit',
      { page: { body: shell }, api: { status: 401, body: { require_login: true } } },
      'non_2xx_response',
    ],
  ])('report %s', async (_, replies, expected) => {
    await expect(profile('details', replies).extraction).rejects.toMatchObject({ code: expected });
  });

  it.each([
    ['explore', 'invalid_params'],
    [`https://www.instagram.com/p/${code}/`, 'invalid_url'],
  ])('reject %s: %s', async (username, expected) => {
    await expect(profile('details', {}, username).extraction).rejects.toMatchObject({ code: expected });
  });
});

describe('the Instagram site setting', () => {
  it('overrides known members and rejects unknown ones', () => {
    expect(siteSetting.read('{"postDocId":"1"}')).toMatchObject({ postDocId: '1', appId: '936619743392459' });
    for (const wrong of ['', '[]', '{"x":"1"}', '{"appId":1}', '{"userAgent":"a\\nb"}']) {
      expect(() => siteSetting.read(wrong)).toThrow(/^(must|contains|has)/);
    }
  });
});
