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
    const { metadata, notes } = await extraction;
    expect(metadata.author?.about).toMatchObject({
      emails: ['first@a.example', 'second@a.example'],
      sections: [{ type: 'first' }, { type: 'second' }],
    });
    expect(notes).toEqual(['Facebook did not return these parts: walled.']);
    expect(addresses(requests).toSorted()).toEqual([
      '/creator/about',
      '/creator/second',
      '/creator/second?_rdc=1&_rdr',
      '/creator/walled',
      '/creator/walled?_rdc=1&_rdr',
    ]);
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
    const endpoint = createFacebook({ userAgent: 'u', documentIds: { photos: [], reels: [] } }).endpoints.find(
      (e) => e.path === path,
    );
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

  it.each([
    ['for (;;);{"error":1357001,"errorSummary":"Not logged in"}', 'signin_required'],
    ['{"errors":[{"message":"Rate limit exceeded","code":1675004}]}', 'non_2xx_response'],
    ['{"errors":[{"message":"A server error missing_required_variable_value occured."}]}', 'invalid_response_data'],
    ['<html>', 'invalid_response_data'],
    ['{"data":{"node":null}}', 'invalid_response_data'],
  ])('fail when the response for a further page is %s', async (body, code) => {
    const settings = { userAgent: 'u', documentIds: { photos: ['111111'], reels: ['222222'] } };
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
