import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import { fields } from '../../../parsing/values.ts';
import { fakeSite, type Reply, type SeenRequest } from '../../testing/fake-site.ts';
import { createFacebook } from '../index.ts';
import { gonePage, loginPage, photoList, profileId, profilePage, reelList, sitePage } from '../testing/pages.ts';

const site = 'https://www.facebook.com';

function extract(path: string, url: string, reply: (request: SeenRequest) => Reply, cursor?: string) {
  const endpoint = createFacebook().endpoints.find((candidate) => candidate.path === path);
  if (endpoint === undefined) throw new Error(`there is no endpoint ${path}`);
  const { context, requests } = fakeSite(reply, cursor === undefined ? {} : { cursor });
  return { requests, extraction: endpoint.extract({ url }, context) };
}

const addresses = (requests: readonly SeenRequest[]) => requests.map(({ url }) => `${url.pathname}${url.search}`);

describe('profile details', () => {
  it('are read from the profile page', async () => {
    const { metadata } = await extract('/profile/details', `${site}/creator`, () => ({ body: profilePage() }))
      .extraction;
    expect(metadata).toMatchObject({
      title: 'A Creator',
      thumbnailUrl: 'https://scontent.xx.fbcdn.net/p.jpg',
      author: {
        profileId,
        pageId: '54971236771',
        handle: 'creator',
        followerCount: 28_000_000,
        followerCountText: '28M followers',
      },
      additionalData: { source: 'profile' },
    });
  });

  it('are fetched from the other host when the page is walled', async () => {
    const { metadata } = await extract('/profile/details', `${site}/creator`, ({ url }) => ({
      body: url.hostname.startsWith('web') ? profilePage() : loginPage,
    })).extraction;
    expect(metadata.additionalData).toEqual({ source: 'profile, web host' });
  });

  it.each<[string, Reply, string]>([
    ['a wall', { body: loginPage }, 'signin_required'],
    ['a page that is gone', { body: gonePage }, 'not_found'],
    ['a page of something else', { body: sitePage([{ operation: 'X', data: {} }]) }, 'not_found'],
    ['an empty page', { body: '' }, 'non_2xx_response'],
    ['no response', new MillraceError('connection_error', 'no'), 'connection_error'],
  ])('are refused after %s', async (_, reply, code) => {
    await expect(extract('/profile/details', `${site}/creator`, () => reply).extraction).rejects.toMatchObject({
      code,
    });
  });
});

describe('a profile page without data', () => {
  const properties = {
    'og:title': 'A Creator',
    'og:image': 'https://scontent.xx.fbcdn.net/p.jpg',
    'og:url': `${site}/creator`,
  };
  const head = (tag: (name: string, content: string) => string, all: object = properties) =>
    sitePage([], {
      head: Object.entries(all)
        .map(([name, content]) => tag(name, content))
        .join(''),
    });
  const tag = (name: string, content: string) => `<meta property="${name}" content="${content}" />`;
  const details = (body: string) => extract('/profile/details', `${site}/creator`, () => ({ body })).extraction;

  it.each([
    ['in the usual order', tag],
    ['in reverse order', (name: string, content: string) => `<meta content="${content}" property="${name}">`],
    [
      'among others',
      (name: string, content: string) => `<meta data-a="" property="${name}" id="b" content="${content}"/>`,
    ],
  ])('is read from its properties with their attributes %s', async (_, order) => {
    const { metadata } = await details(head(order));
    expect(metadata).toMatchObject({ title: 'A Creator', author: { name: 'A Creator', handle: 'creator' } });
    expect(metadata.author).not.toHaveProperty('profileId');
  });

  it.each([
    ['no picture', { ...properties, 'og:image': undefined }],
    ['the address of the start page', { ...properties, 'og:url': `${site}/` }],
    ['the address of a post', { ...properties, 'og:url': `${site}/reel/1234567` }],
    ['the app link of a group', { ...properties, 'al:android:url': 'fb://group/123456' }],
  ])('is an empty page if it has %s', async (_, all) => {
    const known = Object.fromEntries(Object.entries(all).filter(([, content]) => content !== undefined));
    await expect(details(head(tag, known))).rejects.toMatchObject({ code: 'non_2xx_response' });
  });
});

describe('a truncated page', () => {
  const truncated = profilePage().slice(0, -7);

  it.each(['/profile/details', '/profile/about', '/profile/photos', '/profile/reels'])(
    'is no proof that guests cannot see more: %s',
    async (path) => {
      const { extraction, requests } = extract(path, `${site}/creator`, () => ({ body: truncated }));
      await expect(extraction).rejects.toMatchObject({ code: 'invalid_response_data', retryable: true });
      expect(requests.some(({ url }) => url.hostname === 'web.facebook.com')).toBe(true);
    },
  );

  it('of one tab leaves open what another tab lacks', async () => {
    const videos = profilePage({ all_videos: { edges: [] } });
    const cut = (body: string) =>
      extract('/profile/reels', `${site}/creator`, ({ url }) => ({
        body: url.pathname.includes('/videos') ? videos : body,
      })).extraction;
    await expect(cut(truncated)).rejects.toMatchObject({ code: 'invalid_response_data' });
    await expect(cut(truncated.slice(0, 60))).rejects.toMatchObject({ code: 'non_2xx_response' });
    await expect(cut(profilePage())).rejects.toMatchObject({ code: 'signin_required' });
  });
});

describe('profile IDs', () => {
  it.each([`${site}/profile.php?id=${profileId}`, `${site}/people/A-B/${profileId}/`])(
    'in %s are returned without a request',
    async (url) => {
      const { extraction, requests } = extract('/profile/id', url, () => ({ body: '' }));
      expect((await extraction).metadata.author).toMatchObject({ profileId });
      expect(requests).toEqual([]);
    },
  );

  it('are fetched by name, and through a short link', async () => {
    const byName = extract('/profile/id', `${site}/creator`, () => ({ body: profilePage() }));
    expect((await byName.extraction).metadata.author).toEqual({
      profileId,
      pageId: '54971236771',
      handle: 'creator',
      url: `${site}/creator`,
    });
    const short = extract('/profile/id', `${site}/share/abc`, () => ({ url: `${site}/creator`, body: profilePage() }));
    expect((await short.extraction).metadata.author).toMatchObject({ profileId });
  });

  it('are refused for a link to a post', async () => {
    const { extraction } = extract('/profile/id', `${site}/reel/12345`, () => ({ body: '' }));
    await expect(extraction).rejects.toMatchObject({ code: 'invalid_url', parameter: 'url' });
  });
});

const aboutPage = (name: string, others: readonly string[]) => {
  const entries = [{ title: { text: `${name}@a.example` }, field_type: 'profile_email' }];
  const sections = [{ field_section_type: name, title: { text: name }, profile_fields: { nodes: entries } }];
  const node = {
    all_collections: { nodes: [name, ...others].map((id) => ({ id, name: id, url: `${site}/creator/${id}` })) },
    activeCollections: { nodes: [{ id: name, style_renderer: { profile_field_sections: sections } }] },
  };
  return profilePage({ user: { about_app_sections: { nodes: [node] } } });
};

describe('the About tab', () => {
  it('has all its pages, and a note on those that guests cannot see', async () => {
    const { extraction, requests } = extract('/profile/about', `${site}/creator`, ({ url }) => {
      if (url.pathname.endsWith('/walled')) return { body: loginPage };
      if (url.pathname.endsWith('/second') && !url.hostname.startsWith('web')) return { body: loginPage };
      return {
        body: url.pathname.endsWith('/second') ? aboutPage('second', []) : aboutPage('first', ['second', 'walled']),
      };
    });
    const { metadata, notes, incomplete } = await extraction;
    expect(metadata.author?.about).toMatchObject({
      emails: ['first@a.example', 'second@a.example'],
      sections: [{ type: 'first' }, { type: 'second' }],
    });
    expect(notes).toEqual(['Facebook did not return these parts: walled.']);
    expect(incomplete).toBe(false);
    expect(addresses(requests).toSorted()).toEqual([
      '/creator/about',
      '/creator/second',
      '/creator/second?_rdc=1&_rdr',
      '/creator/walled',
      '/creator/walled?_rdc=1&_rdr',
    ]);
  });

  it('is incomplete while the site fails to send one of its pages', async () => {
    const { extraction } = extract('/profile/about', `${site}/creator`, ({ url }) =>
      url.pathname.endsWith('/second') ? { status: 503, body: '' } : { body: aboutPage('first', ['second']) },
    );
    expect(await extraction).toMatchObject({
      notes: ['Facebook did not return these parts: second.'],
      incomplete: true,
    });
  });

  it('requires a signed-in user when guests cannot see it', async () => {
    const { extraction, requests } = extract('/profile/about', `${site}/profile.php?id=${profileId}`, () => ({
      body: profilePage(),
    }));
    await expect(extraction).rejects.toMatchObject({ code: 'signin_required' });
    expect(addresses(requests)).toEqual([`/profile.php?id=${profileId}&sk=about`]);
  });
});

const graphql = (data: unknown) => ({
  body: `${JSON.stringify({ data })}\n${JSON.stringify({ label: 'x', path: ['node'], data: {} })}`,
});

describe.each([
  ['photos', photoList, '/creator/photos', `/profile.php?id=${profileId}&sk=photos`],
  ['reels', reelList, '/creator/reels/', `/profile.php?id=${profileId}&sk=reels_tab`],
] as const)('the %s of a profile', (list, page, byName, byNumber) => {
  const path = `/profile/${list}`;

  it('are read from their tab first', async () => {
    const first = extract(path, `${site}/creator`, () => ({ body: profilePage(page(['101', '102'], 'next')) }));
    const { metadata } = await first.extraction;
    expect(metadata.author).toMatchObject({ profileId, [list]: { contents: [{ id: '101' }, { id: '102' }] } });
    expect(fields(metadata.author?.[list]).nextToken).toBe('{"collection":"collection","cursor":"next"}');
    expect(addresses(first.requests)).toEqual([byName]);
    const other = extract(path, `${site}/profile.php?id=${profileId}`, () => ({ body: profilePage(page(['101'])) }));
    expect(fields((await other.extraction).metadata.author?.[list]).nextToken).toBeNull();
    expect(addresses(other.requests)).toEqual([byNumber]);
  });

  it("continue with the document ID from a page's script, which is then cached", async () => {
    const endpoint = createFacebook({
      userAgent: 'u',
      headers: {},
      documentIds: { photos: [], reels: [] },
    }).endpoints.find((e) => e.path === path);
    const reply = ({ url }: SeenRequest): Reply => {
      if (url.pathname === '/api/graphql/') return graphql(page(['103']));
      if (url.hostname !== 'static.xx.fbcdn.net') return { body: profilePage(page(['101'], 'next')) };
      const name = list === 'photos' ? 'Photos' : 'Reels';
      return {
        body:
          `__d("ProfileCometAppCollection${name}RendererPaginationQuery_facebookRelayOperation",[],` +
          '(function(a,b){b.exports="123456789"}),null);',
      };
    };
    const cursor = '{"collection":"collection","cursor":"next"}';
    const run = async () => {
      const { context, requests } = fakeSite(reply, { cursor });
      return { requests, result: await endpoint?.extract({ url: `${site}/creator` }, context) };
    };
    const { requests, result } = await run();
    expect(result?.metadata).toMatchObject({
      author: { [list]: { contents: [{ id: '103' }], nextToken: null } },
      additionalData: { source: 'graphql' },
    });
    expect(requests.map(({ url }) => url.hostname)).toEqual([
      'www.facebook.com',
      'static.xx.fbcdn.net',
      'www.facebook.com',
    ]);
    expect(requests[2]?.headers).toMatchObject({ 'x-fb-lsd': 'lsd-1' });
    const form = fields(requests[2]?.body);
    expect(form).toMatchObject({ doc_id: '123456789', lsd: 'lsd-1', __user: '0' });
    expect(JSON.parse(String(form.variables))).toMatchObject({
      cursor: 'next',
      id: 'collection',
      __relay_internal__pv__Arelayprovider: false,
      __relay_internal__pv__Brelayprovider: true,
    });
    expect((await run()).requests).toHaveLength(2);
  });

  it('count entries of unknown kinds, and do not end where their end is unknown', async () => {
    const tab = (change: (html: string) => string) =>
      extract(path, `${site}/creator`, () => ({ body: change(profilePage(page(['101', '102'], 'next'))) })).extraction;
    const first = list === 'photos' ? '"id":"101","viewer_image"' : '"video":{"id":"101"}';
    const media = (html: string) => html.replaceAll('"media":{"id":"101"', '"media":{"no":"101"');
    const partly = await tab((html) =>
      media(html.replace(first, first.replace('"id"', '"__typename":"Hologram","no"'))),
    );
    expect(fields(partly.metadata.author?.[list]).contents).toMatchObject([{ id: '102' }]);
    expect(Object.values(partly.unread ?? {})).toEqual([1]);
    const none = tab((html) => html.replace(/"edges":\[.*?\],"page_info"/, '"edges":[{"hologram":1}],"page_info"'));
    await expect(none).rejects.toMatchObject({ code: 'invalid_response_data', unread: { list_entry: 1 } });
    const endless = await tab((html) => html.replace('"has_next_page"', '"has_more"'));
    expect(fields(endless.metadata.author?.[list]).nextToken).toContain('"cursor":"next"');
    expect(endless.unread).toEqual({ page_info: 1 });
  });

  it.each([
    ['{"data":null,"errors":[{"message":"Unauthorized logged out query"}]}', 'signin_required'],
    ['{"errors":[{"message":"A"},{"message":"Error: Unauthorized logged out query (1)"}]}', 'signin_required'],
    ['{"errors":[{"message":"A"}],"note":"Unauthorized logged out query"}', 'invalid_response_data'],
    ['{"data":{"node":{"hologram":1}}}', 'invalid_response_data'],
    ['for (;;);{"error":1357001,"errorSummary":"Not logged in"}', 'signin_required'],
    ['{"errors":[{"message":"Rate limit exceeded","code":1675004}]}', 'non_2xx_response'],
    ['{"errors":[{"message":"A server error missing_required_variable_value occured."}]}', 'invalid_response_data'],
    ['<html>', 'invalid_response_data'],
    ['{"data":{"node":null}}', 'invalid_response_data'],
  ])('fail when the response for a further page is %s', async (body, code) => {
    const settings = { userAgent: 'u', headers: {}, documentIds: { photos: ['111111'], reels: ['222222'] } };
    const endpoint = createFacebook(settings).endpoints.find((candidate) => candidate.path === path);
    const { context } = fakeSite(
      ({ url }) => (url.pathname === '/api/graphql/' ? { body } : { body: profilePage(page(['101'], 'next')) }),
      { cursor: '{"collection":"collection","cursor":"next"}' },
    );
    await expect(endpoint?.extract({ url: `${site}/creator` }, context)).rejects.toMatchObject({ code });
  });

  it('require a signed-in user when guests cannot see them', async () => {
    const { extraction } = extract(path, `${site}/creator`, () => ({ body: profilePage() }));
    await expect(extraction).rejects.toMatchObject({ code: 'signin_required' });
  });

  it('reject a cursor of another kind', async () => {
    const { extraction } = extract(path, `${site}/creator`, () => ({ body: profilePage() }), '{}');
    await expect(extraction).rejects.toMatchObject({ code: 'invalid_token' });
  });
});

/** The Videos tab as the site sends it: the lists are deferred parts, whose edges are videos. */
const videosPage = (nodes: readonly unknown[], more = false) => {
  const operation = 'CometProfilePlusVideosRootQuery';
  const path = ['page'];
  const connection = { edges: nodes.map((node) => ({ node })), page_info: { has_next_page: more } };
  return sitePage([
    { operation: 'ProfileCometHeaderQuery', data: { user: { id: profileId, profile_header_renderer: {} } } },
    { operation, data: { page: { id: '54971236771' } } },
    { operation, label: 'Latest', path, data: { latest_videos: connection, id: '54971236771' } },
    { operation, label: 'All', path, data: { all_videos: connection, id: '54971236771' } },
  ]);
};

const video = (id: string, width: number, height: number, address?: string) => ({
  __typename: 'Video',
  id,
  width,
  height,
  playable_url: `https://video.xx.fbcdn.net/${id}.mp4`,
  savable_title: { text: `Title ${id}` },
  creation_story: { id: `s${id}`, message: { text: `Text ${id}` } },
  ...(address === undefined ? {} : { canonical_uri_with_fallback: address }),
});

describe('the videos tab', () => {
  const reels = (reply: (request: SeenRequest) => Reply) => extract('/profile/reels', `${site}/creator`, reply);
  const onVideos = (html: string) =>
    reels(({ url }) => ({ body: url.pathname.endsWith('/videos') ? html : loginPage }));

  it('is used when the reels tab is walled', async () => {
    const { extraction, requests } = onVideos(videosPage([video('501', 1080, 1920), video('502', 1080, 1920)]));
    const { metadata, unread, notes } = await extraction;
    expect(metadata).toMatchObject({
      author: { profileId, reels: { contents: [{ id: '501' }, { id: '502' }], nextToken: null } },
      additionalData: { source: 'videos' },
    });
    expect([unread, notes]).toEqual([{}, undefined]);
    expect(addresses(requests)).toEqual(['/creator/reels/', '/creator/reels/?_rdc=1&_rdr', '/creator/videos']);
  });

  it('tells reels and other videos apart by their shape, or else by their address', async () => {
    const nodes = [
      video('501', 1080, 1920, `${site}/creator/videos/a/501/`),
      video('502', 1920, 1080, `${site}/creator/videos/a/502/`),
      video('503', 1920, 1080),
      { ...video('504', 0, 0, `${site}/reel/504/`), width: null, height: null },
      { ...video('505', 0, 0), width: null, height: null },
    ];
    const { metadata } = await onVideos(videosPage(nodes)).extraction;
    expect(fields(metadata.author?.reels).contents).toMatchObject([
      { type: 'reel', url: `${site}/reel/501`, title: 'Title 501', caption: 'Text 501' },
      { type: 'video', url: `${site}/creator/videos/a/502/` },
      { type: 'video', url: `${site}/watch/?v=503` },
      { type: 'reel', url: `${site}/reel/504` },
      { type: 'video', url: `${site}/watch/?v=505` },
    ]);
  });

  it('has a note when the site has further videos', async () => {
    const { notes } = await onVideos(videosPage([video('501', 2, 1)], true)).extraction;
    expect(notes).toEqual(['Facebook shows signed-out visitors only the newest videos of this profile.']);
  });

  it('does not prove that there are no reels when it is empty', async () => {
    const refusal = { code: 'signin_required', retryable: true };
    await expect(onVideos(videosPage([])).extraction).rejects.toMatchObject(refusal);
    const hidden = reels(({ url }) => ({ body: url.pathname.endsWith('/videos') ? videosPage([]) : profilePage() }));
    await expect(hidden.extraction).rejects.toMatchObject({ ...refusal, retryable: false });
  });

  it.each([
    ['some', [video('501', 2, 1), { __typename: 'Hologram' }], undefined],
    ['all', [{ __typename: 'Hologram' }], 'invalid_response_data'],
  ])('counts %s entries of unknown kinds', async (_, nodes, code) => {
    const { extraction } = onVideos(videosPage(nodes));
    if (code === undefined) expect((await extraction).unread).toEqual({ Hologram: 1 });
    else await expect(extraction).rejects.toMatchObject({ code, unread: { Hologram: 1 } });
  });

  it('is the only one that is used when a probe names it', async () => {
    const endpoint = createFacebook().endpoints.find(({ path }) => path === '/profile/reels');
    const { context, requests } = fakeSite(() => ({ body: videosPage([video('501', 2, 1)]) }));
    await endpoint?.extract({ url: `${site}/creator` }, { ...context, strategy: 'videos' });
    expect(addresses(requests)).toEqual(['/creator/videos']);
  });
});

describe('a page of a profile with only its head', () => {
  const head = (description: string, title = 'A Creator') =>
    `<meta property="og:title" content="${title}" /><meta property="og:description" content="${description}" />` +
    '<meta property="og:image" content="https://scontent.xx.fbcdn.net/p.jpg?cstp=mx800x800&amp;ctp=s720x720" />' +
    `<meta property="al:android:url" content="fb://profile/${profileId}" /><link rel="canonical" href="${site}/creator" />`;
  const details = (description: string, title?: string) =>
    extract('/profile/details', `${site}/creator`, () => ({ body: sitePage([], { head: head(description, title) }) }));

  it('has the name, the image, the counts and the description of that head', async () => {
    const description =
      'A Creator. 28,660 likes &#xb7; 78 talking about this &#xb7; 12 were here. Makes 500 likes a day.';
    expect((await details(description).extraction).metadata).toMatchObject({
      title: 'A Creator',
      thumbnailUrl: 'https://scontent.xx.fbcdn.net/p.jpg?cstp=mx800x800&ctp=s720x720',
      author: {
        profileId,
        name: 'A Creator',
        handle: 'creator',
        url: `${site}/creator`,
        thumbnails: [{ width: 720, height: 720 }],
        likeCount: 28_660,
        talkingAboutCount: 78,
        checkinCount: 12,
        description: 'Makes 500 likes a day.',
      },
    });
  });

  it('has no description when that head has only words of the site', async () => {
    const words = 'A Creator is on Facebook. Join Facebook to connect with A Creator and others you may know.';
    const { metadata } = await details(words, 'A Creator | Facebook').extraction;
    expect(metadata.author).toMatchObject({ name: 'A Creator' });
    expect(Object.keys(metadata.author ?? {})).not.toContain('description');
  });
});

describe('parts of unknown kinds', () => {
  const tile = (kind: string, nodes: readonly unknown[] = []) => ({
    view_style_renderer: { __typename: kind, view: { profile_tile_items: { nodes } } },
  });
  const line = (item: unknown) => ({ node: { __typename: 'TimelineContextItemWrapper', timeline_context_item: item } });
  const words = { context_item: { title: { text: 'a@b.example' } } };

  it('of a profile are counted', async () => {
    const tiles = [
      tile('ProfileTileViewContextListRenderer', [
        line({ timeline_context_list_item_type: 'INTRO_CARD_PROFILE_EMAIL', renderer: words }),
        line({ hologram: 1 }),
      ]),
      tile('ProfileTileViewPhotoGridRenderer'),
      tile('ProfileTileViewHologramRenderer'),
      { view_style_renderer: null },
    ];
    const body = profilePage({ user: { id: profileId, profile_tile_views: { nodes: tiles } } });
    const { metadata, unread } = await extract('/profile/details', `${site}/creator`, () => ({ body })).extraction;
    expect(metadata.author).toMatchObject({ email: 'a@b.example' });
    expect(unread).toEqual({ ProfileTileViewHologramRenderer: 1, TimelineContextItemWrapper: 1 });
  });

  it('of a profile include its header', async () => {
    const body = profilePage().replaceAll('"name":"A Creator"', '"title":"A Creator"');
    const { unread } = await extract('/profile/details', `${site}/creator`, () => ({ body })).extraction;
    expect(unread).toEqual({ ProfileCometHeaderQuery: 1 });
  });

  it('of the About tab are counted, or are an error when nothing else is there', async () => {
    const about = (body: string) => extract('/profile/about', `${site}/creator`, () => ({ body })).extraction;
    const known = aboutPage('first', []);
    const odd = '{"title":{"text":"first@a.example"},"field_type":"profile_email"},{"field_type":"hologram"}';
    const partly = await about(known.replace('{"title":{"text":"first@a.example"},"field_type":"profile_email"}', odd));
    expect(partly.unread).toEqual({ hologram: 1 });
    for (const [from, to, kind] of [
      ['"title":{"text":"first@a.example"},', '', 'profile_email'],
      ['"profile_fields"', '"profile_holograms"', 'first'],
      ['"profile_field_sections"', '"holograms"', 'about_page'],
      ['"about_app_sections"', '"holograms"', 'ProfileCometTopAppSectionQuery'],
    ] as const) {
      const refusal = { code: 'invalid_response_data', unread: { [kind]: 1 } };
      await expect(about(known.replaceAll(from, to)), from).rejects.toMatchObject(refusal);
    }
  });

  it('of a tab are an error, unless the profile does not show the tab', async () => {
    const body = profilePage({ node: { id: 'collection', holograms: { edges: [] } } });
    const { extraction } = extract('/profile/photos', `${site}/creator`, () => ({ body }));
    await expect(extraction).rejects.toMatchObject({
      code: 'invalid_response_data',
      unread: { ProfileCometTopAppSectionQuery: 1 },
    });
  });
});

it('falls back to the videos tab when the reels tab is not available', async () => {
  const edges = [
    { node: { video: { id: '501', play_count: 12_345, publish_time: 1_785_188_122, length_in_second: 8 } } },
  ];
  const { extraction, requests } = extract('/profile/reels', `${site}/creator`, ({ url }) => ({
    body: url.pathname.endsWith('/videos') ? profilePage({ user: { all_videos: { edges } } }) : profilePage(),
  }));
  expect((await extraction).metadata).toMatchObject({
    author: {
      reels: {
        contents: [{ id: '501', playCount: 12_345, duration: 8, publishedAt: '2026-07-27T21:35:22.000Z' }],
        nextToken: null,
      },
    },
    additionalData: { source: 'videos' },
  });
  expect(addresses(requests)).toEqual(['/creator/reels/', '/creator/videos']);
});
