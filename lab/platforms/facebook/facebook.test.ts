import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lab } from '../../lab.ts';
import { fetchThrough, startTestLab } from '../../testing.ts';
import { mediaLink } from './links.ts';
import { switches, tokenOf } from './page.ts';
import { browse, resultsOf } from './testing.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await startTestLab();
});
afterAll(() => lab.close());

const title = { name: 'amber-2', look: 'amber', seconds: 2 } as const;
const picture = { title, file: 'still-144.jpg' };

describe('CDN link', () => {
  test('is valid until it expires', async () => {
    const response = await fetchThrough(lab, mediaLink(picture));
    expect([response.status, response.headers['content-type']]).toEqual([200, 'image/jpeg']);
    const over = await fetchThrough(lab, mediaLink(picture, { expired: true }));
    expect([over.status, over.body.toString()]).toEqual([403, 'URL signature expired\n']);
  });

  test.each(['oh', 'oe'])('is invalid with a different %s', async (name) => {
    const link = new URL(mediaLink(picture));
    link.searchParams.set(name, '7FFFFFFF');
    expect((await fetchThrough(lab, link.href)).status).toBe(403);
  });

  test('applies the faults of the CDN, and is valid only for its path', async () => {
    expect((await fetchThrough(lab, mediaLink(picture, { faults: 'status=404' }))).status).toBe(404);
    expect((await fetchThrough(lab, 'https://video.flab1-1.fna.fbcdn.net/o1/v/t2/f2/m366/AQabcd.mp4')).status).toBe(
      404,
    );
  });
});

describe('pages', () => {
  test('require the headers of a browser', async () => {
    expect((await fetchThrough(lab, 'https://www.facebook.com/thelab')).status).toBe(400);
    expect((await browse(lab, '/thelab')).status).toBe(200);
  });

  test('contain the results of a reel among other results', async () => {
    const responses = resultsOf((await browse(lab, '/reel/770000000000001')).body.toString());
    expect(responses.map(({ operation }) => operation)).toEqual([
      'useCometLogInFormQuery',
      'FBReelsRootWithEntrypointQuery',
      'FBReelsRootWithEntrypointQuery',
      'FBReelsSuggestedQuery',
    ]);
  });

  test.each([
    ['/reel/770000000000015', 'login_form'],
    ['https://m.facebook.com/thelab', 'login_form'],
    ['/reel/770000000000014', 'CometErrorRoot.react'],
  ])('at %s contain %s', async (address, words) => {
    const { status, body } = await browse(lab, address);
    expect([status, body.toString()]).toEqual([200, expect.stringContaining(words)]);
  });

  test.each([
    ['/reel/770000000000020', 'https://web.facebook.com/reel/770000000000020?_rdc=1&_rdr'],
    ['https://fb.watch/labReel1/', 'https://www.facebook.com/reel/770000000000001?rdid=lab&share_url=x'],
    ['/share/v/labinside/', 'http://169.254.169.254/latest/meta-data/'],
  ])('redirect from %s to %s', async (address, location) => {
    const response = await browse(lab, address);
    expect([response.status, response.headers.location]).toEqual([302, location]);
  });

  test('of an open-once profile are sign-in walls from the second request on', async () => {
    const texts = [
      await browse(lab, '/lab.once-a'),
      await browse(lab, '/lab.once-a'),
      await browse(lab, '/lab.once-b'),
    ];
    expect(texts.map(({ body }) => body.includes('login_form'))).toEqual([false, true, false]);
  });
});

describe('data interface', () => {
  interface Collection {
    readonly id: string;
    readonly pageItems: { readonly page_info: { readonly end_cursor: string } };
  }

  interface Tab {
    readonly node: {
      readonly all_collections: {
        readonly nodes: readonly { readonly style_renderer: { readonly collection: Collection } }[];
      };
    };
  }

  /** Requests the second page of photos, with changes to some members of the form. */
  async function second(name: string, changes: Readonly<Record<string, string>> = {}, variables: object = switches) {
    const html = (await browse(lab, `/${name}/photos`)).body.toString();
    const tab = resultsOf(html).find(({ operation }) => operation === 'ProfileCometTopAppSectionQuery');
    const data = tab?.result.data as Tab | undefined;
    const collection = data?.node.all_collections.nodes[0]?.style_renderer.collection;
    const lsd = tokenOf('www.facebook.com');
    const query = {
      ...variables,
      id: collection?.id,
      cursor: collection?.pageItems.page_info.end_cursor,
      count: 10,
      useDefaultActor: false,
    };
    const form = {
      lsd,
      doc_id: '30114411441144114',
      fb_api_req_friendly_name: 'ProfileCometAppCollectionPhotosRendererPaginationQuery',
      variables: JSON.stringify(query),
      ...changes,
    };
    const response = await fetchThrough(lab, 'https://www.facebook.com/api/graphql/', {
      method: 'POST',
      headers: { 'x-fb-lsd': lsd },
      body: new URLSearchParams(form).toString(),
    });
    return response.body.toString();
  }

  test('returns a later page', async () => {
    expect(await second('thelab')).toContain('"end_cursor":"AQHS18lab","has_next_page":true');
  });

  test.each([
    ['another number', { doc_id: '1' }, undefined, 'was not found'],
    ['another token', { lsd: 'x' }, undefined, '1357004'],
    ['no switches', {}, {}, 'missing_required_variable_value'],
    ['variables that are no JSON', { variables: '{' }, undefined, '{"data":{"node":null}}'],
  ])('refuses %s', async (_, changes, variables, words) => {
    expect(await second('thelab', changes, variables)).toContain(words);
  });

  test.each([
    ['lab.denied', '1357001'],
    ['lab.limited', '1675004'],
    ['lab.renumbered', 'was not found'],
  ])('refuses later pages of %s', async (name, words) => {
    expect(await second(name)).toContain(words);
  });

  test('defines its query numbers in the scripts of a page', async () => {
    const html = (await browse(lab, '/lab.renumbered/photos')).body.toString();
    const scripts = [...html.matchAll(/<script src="([^"]+)"/g)].map(([, link = '']) => link);
    const texts = await Promise.all(scripts.map(async (link) => (await fetchThrough(lab, link)).body.toString()));
    expect(texts.join('')).toContain(
      '__d("ProfileCometAppCollectionPhotosRendererPaginationQuery_facebookRelayOperation",[],' +
        '(function(t,n,r,o,a,i){a.exports="77114411441144114"}),null);',
    );
    expect((await fetchThrough(lab, 'https://static.xx.fbcdn.net/rsrc.php/other.js')).status).toBe(404);
  });
});
