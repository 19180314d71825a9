import { describe, expect, it } from 'vitest';
import { fields, parseJson } from '../../parsing/values.ts';
import { fakeSite } from '../testing/fake-site.ts';
import { createInstagram } from './index.ts';
import { defaultSite, siteSetting } from './site.ts';
import { code, kindOf, lsd, pk } from './testing/fake-instagram.ts';

/** Requests a post and a profile with the operator's settings from a site that refuses every query. */
async function requestsWith(P2_CLIENT: object) {
  const site = fakeSite((request) => (kindOf(request) === 'home' ? { body: lsd } : { status: 500, body: '' }));
  const { endpoints } = createInstagram(siteSetting.read(JSON.stringify(P2_CLIENT)));
  const [post, , profile] = endpoints;
  await expect(post?.extract({ shortcode: code }, site.context)).rejects.toThrow();
  const posts = site.requests.slice();
  await expect(profile?.extract({ username: 'natgeo' }, site.context)).rejects.toThrow();
  const find = (kind: string) => posts.find((request) => kindOf(request) === kind);
  return {
    postKinds: posts.map(kindOf).filter((kind) => kind !== 'home'),
    profileKinds: site.requests.slice(posts.length).map(kindOf),
    post: { headers: find('graphql')?.headers, form: fields(find('graphql')?.body) },
    shortcode: { headers: find('shortcode')?.headers, form: fields(find('shortcode')?.body) },
    clips: find('clips')?.url.searchParams,
  };
}

const off = (flag: string) => ({ [`__relay_internal__pv__${flag}relayprovider`]: false });

describe('P2_CLIENT', () => {
  it('sends the built-in queries in the built-in order by default', async () => {
    const { postKinds, profileKinds, post, shortcode, clips } = await requestsWith({});
    expect(postKinds).toEqual(['page', 'graphql', 'clips', 'shortcode', 'embed']);
    expect(profileKinds).toEqual(['page', 'api']);
    expect(parseJson(String(post.form.variables))).toEqual({ media_id: pk });
    expect(post.form.doc_id).toBe(defaultSite.queries.post.docId);
    expect(parseJson(String(shortcode.form.variables))).toMatchObject({ shortcode: code, hoisted_reply_id: null });
    expect(parseJson(clips?.get('variables') ?? '')).toEqual({
      data: { chaining_mode: 'same_author', clips_media_id: pk },
      ...off('PolarisReelsRecoDebugOverlayEnabled'),
      ...off('PolarisShortDramaEnabled'),
    });
  });

  it('changes the name, ID, variables and flags of a query', async () => {
    const { post, shortcode, clips } = await requestsWith({
      queries: {
        post: { flags: ['PolarisSEOIsCrawler'] },
        shortcode: {
          name: 'PolarisPostRootQuery',
          docId: '27128499623469141',
          variables: { a: ['{shortcode}', '{mediaId}'] },
        },
        clips: { docId: '123', flags: [] },
      },
    });
    expect(parseJson(String(post.form.variables))).toEqual({ media_id: pk, ...off('PolarisSEOIsCrawler') });
    expect(shortcode.form).toMatchObject({
      fb_api_req_friendly_name: 'PolarisPostRootQuery',
      doc_id: '27128499623469141',
      variables: JSON.stringify({ a: [code, pk] }),
    });
    expect(shortcode.headers).toMatchObject({ 'x-fb-friendly-name': 'PolarisPostRootQuery' });
    expect(clips?.get('doc_id')).toBe('123');
    expect(parseJson(clips?.get('variables') ?? '')).toEqual({
      data: { chaining_mode: 'same_author', clips_media_id: pk },
    });
  });

  it('still accepts the older members for IDs', async () => {
    const { post, shortcode, clips } = await requestsWith({ postDocId: '1', clipsDocId: '2', shortcodeDocId: '3' });
    expect([post.form.doc_id, clips?.get('doc_id'), shortcode.form.doc_id]).toEqual(['1', '2', '3']);
  });

  it('requests only the listed sources, in their order', async () => {
    const { postKinds, profileKinds } = await requestsWith({
      postSources: ['shortcode', 'page'],
      profileSources: ['api'],
    });
    expect(postKinds).toEqual(['shortcode', 'page']);
    expect(profileKinds).toEqual(['api']);
  });

  it.each([
    ['{', 'must be JSON'],
    ['[]', 'must be a JSON object'],
    ['{"a":1}', 'contains the unknown member a; use only userAgent, appId'],
    ['{"userAgent":"a\\r\\nb"}', 'has an invalid userAgent'],
    ['{"appId":936619743392459}', 'has an invalid appId: it must be 1 to 25 digits'],
    ['{"queries":{"other":{}}}', 'contains the unknown member queries.other; use only post, clips, shortcode'],
    ['{"queries":{"clips":{"name":"A"}}}', 'contains the unknown member queries.clips.name'],
    ['{"queries":{"post":{"name":"A\\r\\nb"}}}', 'has an invalid queries.post.name'],
    ['{"queries":{"post":{"docId":"x"}}}', 'has an invalid queries.post.docId'],
    ['{"queries":{"post":{"variables":[]}}}', 'has an invalid queries.post.variables'],
    [`{"queries":{"post":{"variables":{"a":"${'a'.repeat(4_000)}"}}}}`, 'has an invalid queries.post.variables'],
    ['{"queries":{"post":{"flags":["a b"]}}}', 'has an invalid queries.post.flags'],
    ['{"postSources":[]}', 'must have a list of 1 to 5 entries as postSources'],
    ['{"postSources":["api"]}', 'has an invalid postSources: use page, graphql, clips, shortcode, embed'],
    ['{"profileSources":["page","page"]}', 'has a duplicate in profileSources'],
  ])('rejects %s', (text, message) => {
    expect(() => siteSetting.read(text)).toThrow(message);
  });
});
