import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import type { Reply } from '../../testing/fake-site.ts';
import {
  block,
  code,
  extract,
  graph,
  type Kind,
  lsd,
  pk,
  post,
  reel,
  route,
  shell,
  xig,
} from '../testing/fake-instagram.ts';

const variables = (flag: string, value: unknown) => ({ [`__relay_internal__pv__${flag}relayprovider`]: value });

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

  it('takes the duration from the manifest when nothing else has it', async () => {
    const { contents, metadata } = await post({ page: { body: block(xig(reel)) } }).extraction;
    expect(metadata.additionalData).toMatchObject({ duration: 10 });
    expect(contents?.[0]?.videos?.map(({ item }) => item.metadata.duration)).toEqual([10, 10]);
    const timed = { ...reel, video_duration: 9.9 };
    const { metadata: reported } = await post({ page: { body: block(xig(timed)) } }).extraction;
    expect(reported.additionalData).toMatchObject({ duration: 9.9 });
  });

  it('adds a note when the site withholds the file of a video', async () => {
    const withheld = { ...reel, video_versions: null, video_dash_manifest: null };
    const { contents, notes, unread } = await post({ page: { body: block(xig(withheld)) } }).extraction;
    expect([contents?.[0]?.images?.length, contents?.[0]?.videos]).toEqual([1, undefined]);
    expect([notes, unread]).toEqual([['Instagram did not send the file of a video.'], {}]);
  });

  it('lists files in descending order of size', async () => {
    const small = { type: 101, url: 'https://cdn.example/720.mp4', width: 720, height: 1280 };
    const large = { type: 102, url: 'https://cdn.example/1440.mp4', width: 1440, height: 2560 };
    const video = { ...reel, video_versions: [small, large, small], video_dash_manifest: null };
    const { contents } = await post({ page: { body: block(xig(video)) } }).extraction;
    expect(contents?.[0]?.videos?.map(({ item }) => item.label)).toEqual(['1440p', '720p']);
  });

  it('lists each image once, in its true size, in descending order of size', async () => {
    const listed = (name: string, ...sides: number[]) =>
      sides.map((side) => ({
        url: `https://cdn.example/${name}.jpg?stp=dst-jpg_e35${name}`,
        width: side,
        height: side,
      }));
    const candidates = [...listed('_s320x320', 320), ...listed('', 1080, 750, 640)];
    const photo = { ...reel, media_type: 1, video_versions: null, video_dash_manifest: null };
    for (const [original, expected] of [
      [640, ['640x640', '320x320']],
      // The site does not know the size of the original.
      [0, ['640x640', '320x320']],
      [444, ['444x444', '320x320']],
    ] as const) {
      const image = { ...photo, original_width: original, original_height: original, image_versions2: { candidates } };
      const { contents } = await post({ page: { body: block(xig(image)) } }).extraction;
      expect(contents?.[0]?.images?.map(({ item }) => item.label)).toEqual(expected);
    }
    const url = 'https://cdn.example/d.jpg';
    const resources = [750, 640, 1080].map((side) => ({ src: url, config_width: side, config_height: side }));
    const old = { ...graph, display_url: url, dimensions: { width: 640, height: 640 }, display_resources: resources };
    const shortcode = { body: { data: { xdt_shortcode_media: old } } };
    const { contents } = await post({ page: { body: shell }, shortcode }).extraction;
    expect(contents?.[0]?.images?.map(({ item }) => item.label)).toEqual(['640x640']);
  });

  it('reads hashtags in every script, and mentions', async () => {
    const caption = { text: 'नमस्ते #हिन्दी #ภาษาไทย #বাংলা#été from @nat.geo. Mail a@b.example' };
    const { metadata } = await post({ page: { body: block(xig({ ...reel, caption })) } }).extraction;
    expect(metadata.additionalData).toMatchObject({
      hashtags: ['हिन्दी', 'ภาษาไทย', 'বাংলা', 'été'],
      mentions: ['nat.geo'],
    });
  });

  it('reads responses that start with a guard', async () => {
    const guarded = (data: unknown) => ({ body: `for (;;);${JSON.stringify({ data })}` });
    const { extraction } = post({ page: { body: shell }, graphql: guarded(xig(reel)) });
    expect((await extraction).metadata.additionalData).toMatchObject({ source: 'graphql' });
    const user = { id: '787132', username: 'natgeo' };
    const replies = { page: { body: shell }, api: guarded({ user }) };
    const profile = await extract('/user/profile/details', { username: 'natgeo' }, replies).extraction;
    expect(profile.metadata).toMatchObject({ author: { userId: '787132' }, additionalData: { source: 'api' } });
  });

  it.each(['page', 'graphql', 'clips', 'shortcode', 'embed'])(
    'uses only the strategy %s when asked to',
    async (one) => {
      const { extraction, kinds } = extract('/media/post/details', { shortcode: code }, { home: { body: lsd } }, one);
      await expect(extraction).rejects.toBeInstanceOf(MillraceError);
      expect(kinds().filter((kind) => kind !== 'home')).toEqual([one]);
    },
  );

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

  it.each<[string, string, object]>([
    [
      "the page's `queryIds` and modules",
      [
        block({ queryIds: { PolarisClipsLoggedOutConnectionQuery: '333' } }),
        '<script>__d("PolarisClipsLoggedOutConnectionQuery$Parameters",["PolarisClipsLoggedOutConnectionQuery_instagramRelayOperation",',
        '"PolarisSEOIsCrawler.relayprovider","PolarisIsLoggedIn.relayprovider"],(function(t,n,r){}),null);</script>',
        block({
          preloaderID: 'adp_PolarisOtherQueryRelayPreloader_1',
          queryID: '4',
          variables: variables('PolarisSEOIsCrawler', true),
        }),
      ].join(''),
      { doc_id: '333', flags: { PolarisSEOIsCrawler: true, PolarisIsLoggedIn: false } },
    ],
    [
      "the page's modules",
      '<script>__d("PolarisClipsLoggedOutQuery_instagramRelayOperation",[],(function(t,n,r,o,a,i){a.exports="444"}),null);</script>',
      { doc_id: '444', flags: { PolarisReelsRecoDebugOverlayEnabled: false, PolarisShortDramaEnabled: false } },
    ],
    [
      "the page's preloaders",
      block({
        preloaderID: 'adp_PolarisLoggedOutClipsQueryRelayPreloader_1',
        queryID: '555',
        variables: variables('PolarisNewFlag', 'control'),
      }),
      { doc_id: '555', flags: { PolarisNewFlag: 'control' } },
    ],
    [
      'the settings if the page has none',
      '',
      {
        doc_id: '27695069083459414',
        flags: { PolarisReelsRecoDebugOverlayEnabled: false, PolarisShortDramaEnabled: false },
      },
    ],
  ])('takes the ID and flags of the reels query from %s', async (_, declarations, expected) => {
    const { extraction, requests } = post({ page: { body: shell + declarations } });
    await expect(extraction).rejects.toThrow();
    const search = requests.find(({ url }) => url.search.includes('clips_media_id'))?.url.searchParams;
    const sent: Record<string, unknown> = JSON.parse(search?.get('variables') ?? '{}');
    const flags = Object.entries(sent).flatMap(([name, value]) =>
      name === 'data' ? [] : [[name.replace(/^__relay_internal__pv__|relayprovider$/g, ''), value]],
    );
    expect({ doc_id: search?.get('doc_id'), flags: Object.fromEntries(flags) }).toEqual(expected);
    expect(sent.data).toEqual({ chaining_mode: 'same_author', clips_media_id: pk });
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

  it.each<[string, readonly Reply[]]>([
    [
      'in the address of the login page',
      [{ status: 302, headers: { location: `/accounts/login/?next=%2Freel%2F${code}%2F%3Figsh%3Dx` }, body: '' }],
    ],
    [
      'through the same link with a slash',
      [
        { status: 302, headers: { location: 'https://www.instagram.com/share/reel/X1/' }, body: '' },
        { status: 302, headers: { location: `/natgeo/reel/${code}/?igsh=x%3D%3D` }, body: '' },
      ],
    ],
    [
      'in the page of the post',
      [{ body: `<meta property="og:url" content="https://www.instagram.com/reel/${code}/" />` }],
    ],
  ])('finds the target of a short link %s', async (_, replies) => {
    const waiting = [...replies];
    const share = () => waiting.shift() ?? new MillraceError('connection_error', 'There is no further reply.');
    const link = 'https://www.instagram.com/share/reel/X1';
    const { extraction } = post({ share, page: { body: block(xig(reel)) } }, link);
    expect((await extraction).metadata.additionalData).toMatchObject({ shortcode: code });
  });

  it.each([
    `Look at this: https://www.instagram.com/reel/${code}/?igsh=MzRlODBiNWFlZA== 😍`,
    `https://example.com/a and www.instagram.com/natgeo/reel/${code}/`,
    `(m.instagram.com/reels/${code}/)`,
    `instagr.am/p/${code}/?img_index=3`,
  ])('accepts a text with a link: %s', async (text) => {
    const { extraction } = post({ page: { body: block(xig(reel)) } }, text);
    expect((await extraction).metadata.additionalData).toMatchObject({ shortcode: code });
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

  it('accepts a text with a link, and uses only one source when asked to', async () => {
    const audioId = 'Listen: https://www.instagram.com/reels/audio/123/?igsh=x!';
    const replies = {
      page: { body: `${lsd}<meta property="og:title" content="A | B on Instagram"/>` },
      music: { body: sound },
    };
    const sources = ['api', 'page'].map(async (strategy) => {
      const { extraction, kinds } = extract('/media/audio/details', { audioId }, replies, strategy);
      const { metadata, notes } = await extraction;
      return [metadata.additionalData?.id, metadata.additionalData?.source, notes, kinds()];
    });
    expect(await Promise.all(sources)).toEqual([
      ['123', 'api', undefined, ['page', 'music']],
      ['123', 'page', undefined, ['page']],
    ]);
  });

  it('returns an error instead of an empty result', async () => {
    const walled = audio({ page: { body: lsd }, music: { body: route('PolarisCAAIGLoginHomepageRoute') } });
    await expect(walled.extraction).rejects.toMatchObject({ code: 'signin_required', retryable: false });
    const missingSound = audio({ page: { status: 404, body: lsd }, music: { status: 403, body: '' } });
    await expect(missingSound.extraction).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an audio track without reels', () => {
  const wait = { message: 'Please wait a few minutes before you try again.', require_login: true };

  it.each<[string, Reply, string]>([
    ['status 500', { status: 500, body: '<html>' }, 'non_2xx_response'],
    ['status 502', { status: 502, body: '<html>' }, 'non_2xx_response'],
    ['status 503', { status: 503, body: '<html>' }, 'non_2xx_response'],
    ['a rate limit', { status: 401, body: wait }, 'non_2xx_response'],
    ['a security check', { status: 403, body: { message: 'checkpoint_required' } }, 'non_2xx_response'],
    ['nothing', { body: 'null' }, 'invalid_response_data'],
    ['an empty object', { body: {} }, 'invalid_response_data'],
    ['truncated JSON', { body: '{"items":[{"media":{"pk":"1"' }, 'invalid_response_data'],
    ['a page of another kind', { body: '<html></html>' }, 'invalid_response_data'],
  ])('may be found by a retry after %s', async (_, music, expected) => {
    const { extraction } = extract('/media/audio/details', { audioId: '123' }, { page: { body: lsd }, music });
    await expect(extraction).rejects.toMatchObject({ code: expected, retryable: true });
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

  const headOf = (...tags: readonly [string, string][]) =>
    `${shell}${block({ route: { params: { username: 'natgeo' }, page_logging: { params: { page_id: 'profilePage_787132' } } } })}` +
    tags.map(([name, content]) => `<meta property="og:${name}" content="${content}" />`).join('');
  const wait = {
    status: 401,
    body: { message: 'Please wait a few minutes before you try again.', require_login: true },
  };

  it('fall back to the head of the page when the interface refuses the request', async () => {
    const page = {
      body: headOf(
        ['title', 'National Geographic (&#064;natgeo) &#x2022; Instagram photos and videos'],
        ['image', 'https://cdn.example/p.jpg?stp=dst-jpg_s100x100_tt6'],
        [
          'description',
          '268M Followers, 194 Following, 32K Posts - See Instagram photos from National Geographic (&#064;natgeo)',
        ],
      ),
    };
    const { extraction, kinds } = profile('details', { page, api: wait });
    const { metadata, notes, incomplete } = await extraction;
    expect(metadata).toEqual({
      author: expect.objectContaining({
        userId: '787132',
        username: 'natgeo',
        name: 'National Geographic',
        followerCount: 268_000_000,
        followerCountText: '268M',
        followingCount: 194,
        postCount: 32_000,
        thumbnails: [{ url: expect.stringContaining('/p.jpg'), width: 100, height: 100 }],
      }),
      additionalData: { source: 'head' },
    });
    expect([notes, incomplete]).toEqual([[expect.stringContaining('rounded')], true]);
    expect(kinds()).toEqual(['page', 'api']);
    const id = await profile('id-from-username', { page: { body: headOf() }, api: wait }).extraction;
    expect(id.metadata.author).toEqual({ userId: '787132', username: 'NatGeo' });
  });

  it("do not take the head of another account's page", async () => {
    const { extraction } = profile(
      'details',
      { page: { body: headOf(['title', 'NASA (@nasa)']) }, api: wait },
      'other',
    );
    await expect(extraction).rejects.toMatchObject({ code: 'non_2xx_response' });
  });

  it.each(['page', 'api', 'head'])('use only the strategy %s when asked to', async (one) => {
    const { extraction, kinds } = extract('/user/profile/details', { username: 'natgeo' }, {}, one);
    await expect(extraction).rejects.toBeInstanceOf(MillraceError);
    expect(kinds()).toEqual([one === 'api' ? 'api' : 'page']);
  });

  it('accept a text with a link', async () => {
    const { extraction } = profile(
      'details',
      { page: { body: block({ xig_user_by_username: user }) } },
      'See instagram.com/NatGeo/ now',
    );
    expect((await extraction).metadata.author).toMatchObject({ username: 'natgeo' });
  });

  it.each([
    ['explore', 'invalid_params'],
    [`https://www.instagram.com/p/${code}/`, 'invalid_url'],
  ])('reject %s: %s', async (username, expected) => {
    await expect(profile('details', {}, username).extraction).rejects.toMatchObject({ code: expected });
  });
});
