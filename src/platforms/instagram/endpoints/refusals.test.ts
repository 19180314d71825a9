import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import type { Reply } from '../../testing/fake-site.ts';
import { block, code, graph, type Kind, lsd, pk, post, reel, route, shell, xig } from '../testing/fake-instagram.ts';

const loginPage = { body: lsd + route('PolarisCAAIGLoginHomepageRoute') };
const throttle = {
  status: 401,
  body: { message: 'Please wait a few minutes before you try again.', require_login: true },
};
const absent = { body: { data: { xdt_shortcode_media: null }, status: 'ok' } };
const to = (location: string) => ({ status: 302, headers: { location }, body: '' });
const embed = (media: unknown) => ({
  body: `{"contextJSON":${JSON.stringify(JSON.stringify({ gql_data: { shortcode_media: media } }))}}`,
});

describe('a refused post', () => {
  it.each<[string, Reply, object, number]>([
    ['not found', { status: 404, body: '<html>' }, { code: 'not_found' }, 1],
    ['error route', { body: route('PolarisErrorRoute') }, { code: 'not_found' }, 1],
    ['private page', { body: shell + block({ tracePolicy: 'polaris.privatePostPage' }) }, { code: 'unavailable' }, 1],
    [
      'private owner without files',
      { body: block(xig({ pk, code, user: { is_private: true } })) },
      { code: 'unavailable' },
      1,
    ],
    ['private media', { status: 403, body: { message: 'private_media' } }, { code: 'unavailable' }, 1],
    ['private owner', { body: block(xig({ ...reel, user: { is_private: true } })) }, { code: 'unavailable' }, 1],
    ['data-less shell', { body: shell }, { code: 'non_2xx_response', retryable: true }, 5],
    ['too many requests', { status: 429, body: lsd }, { code: 'non_2xx_response', retryable: true }, 5],
    [
      'rate limit as 401',
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
    ['login form', { body: '<form method="post" id="loginForm">' }, { code: 'signin_required', retryable: true }, 5],
    [
      'required login',
      { status: 403, body: { message: 'login_required', require_login: true } },
      { code: 'signin_required', retryable: true, reason: 'login_required' },
      6,
    ],
    ['login route', { body: lsd + route('PolarisCAAIGLoginHomepageRoute') }, { code: 'signin_required' }, 5],
    ['something else', { body: `${lsd}<html>` }, { code: 'invalid_response_data' }, 5],
  ])('is reported: %s', async (_, page, error, expectedRequests) => {
    const { extraction, requests } = post({ page });
    await expect(extraction).rejects.toMatchObject(error);
    expect(requests.length).toBeLessThanOrEqual(expectedRequests + 1);
  });

  it.each([
    ['a table', block({ sampling: { '553648129.polaris.privatePostPage': 2 } })],
    ['a caption', block({ caption: 'polaris.privatePostPage <form id="loginForm"> "canonicalRouteName":"x"' })],
    ['a link', '<a href="#loginForm" title="polaris.privatePostPage">'],
  ])('is not judged by the words of %s', async (_, text) => {
    const { extraction } = post({ page: { body: shell + text.replaceAll('<form', '\\u003cform') } });
    await expect(extraction).rejects.toMatchObject({ code: 'non_2xx_response', retryable: true });
  });

  it('is not found when the embed page says that the link may be broken or the post removed', async () => {
    const body = `<div class="EmbedBrokenMedia"><a href="https://www.instagram.com/p/${code}/?utm_campaign=invalid">`;
    const { extraction, kinds } = post({ page: { body: shell }, embed: { body } });
    await expect(extraction).rejects.toMatchObject({ code: 'not_found', retryable: true });
    expect(kinds().at(-1)).toBe('embed');
  });

  it.each([
    ['with other attributes', `<div id="x" class="_aa4c EmbedBrokenMedia _aa4d" role="main">`, 'not_found'],
    ['of another class', `<div class="EmbedBrokenMediaFrame">`, 'non_2xx_response'],
    ['only in a text', '<p>class="EmbedBrokenMedia"', 'non_2xx_response'],
  ])('is judged by the broken place of the embed page %s', async (_, body, expected) => {
    const { extraction } = post({ page: { body: shell }, embed: { body } });
    await expect(extraction).rejects.toMatchObject({ code: expected, retryable: true });
  });

  it("is judged by the ruling in the post's page", async () => {
    const ruling = { title: 'Restricted Video', description: 'For adults.' };
    const page = { body: shell + block({ xdt_async_get_ruling_for_media_content_logged_out_v2: ruling }) };
    const { extraction, kinds } = post({ page });
    await expect(extraction).rejects.toMatchObject({ code: 'age_restricted' });
    expect(kinds()).toEqual(['page']);
    const open = { title: '', description: '', gating_type_thrift: null };
    const openPage = { body: shell + block({ xdt_async_get_ruling_for_media_content_logged_out_v2: open }) };
    await expect(post({ page: openPage }).extraction).rejects.toMatchObject({ code: 'non_2xx_response' });
  });

  it('is not taken for gated when only the name of its data has changed', async () => {
    const renamed = { xig_polaris_media: { code, if_not_gated_v2: reel, gating_ruling: { __typename: 'Ruling' } } };
    const { extraction } = post({ page: { body: shell + block(renamed) } });
    await expect(extraction).rejects.toMatchObject({ code: 'invalid_response_data' });
  });

  it.each([
    ['Restricted Video', 'age_restricted'],
    ['Something', 'signin_required'],
  ])('that is gated with the ruling "%s" is reported as %s', async (title, expected) => {
    const gatedPost = { xig_polaris_media: { code, if_not_gated_logged_out: null, gating_ruling: {} } };
    const { extraction, kinds } = post({ page: { body: block(gatedPost) }, ruling: { body: { title } } });
    await expect(extraction).rejects.toMatchObject({ code: expected, reason: title });
    expect(kinds()).toEqual(['page', 'ruling']);
  });

  it.each<[string, Partial<Record<Kind, Reply>>, object]>([
    [
      'the ruling names a reason',
      { ruling: { body: { title: 'Not for all' } } },
      { code: 'unavailable', retryable: false },
    ],
    ['the ruling says restricted', { ruling: { body: { title: 'Restricted Video' } } }, { code: 'age_restricted' }],
    ['the ruling allows it', { ruling: { body: { status: 'ok' } } }, { code: 'non_2xx_response', retryable: true }],
    ['there is no ruling', { ruling: { status: 500, body: '' } }, { code: 'signin_required', retryable: true }],
    [
      'there is also a rate limit',
      { shortcode: throttle },
      { code: 'non_2xx_response', reason: throttle.body.message },
    ],
  ])('behind the login page is reported correctly when %s', async (_, replies, expected) => {
    const { extraction } = post({ page: loginPage, graphql: loginPage, ...replies });
    await expect(extraction).rejects.toMatchObject(expected);
  });

  it('is not judged by the query that returns nothing for public posts too', async () => {
    const { extraction, kinds } = post({ page: { body: shell }, shortcode: absent });
    await expect(extraction).rejects.toMatchObject({
      code: 'non_2xx_response',
      retryable: true,
      message: expect.stringContaining('rate limiting'),
    });
    expect(kinds()).toEqual(['page', 'graphql', 'clips', 'shortcode', 'embed']);
    const later = await post({ page: { body: shell }, shortcode: absent, embed: embed(graph) }).extraction;
    expect(later.metadata.additionalData).toMatchObject({ source: 'embed' });
  });

  it('is not reported as private when the site cannot be reached', async () => {
    const lost = new MillraceError('connection_error', 'No way there.');
    const { extraction } = post(
      { page: lost, home: lost, graphql: lost, clips: lost, embed: lost },
      code + 'x'.repeat(28),
    );
    await expect(extraction).rejects.toMatchObject({ code: 'connection_error' });
  });

  it('results in unexpected_redirect when another site responds', async () => {
    const page = { body: block(xig(reel)), url: 'https://cdn.example/p/x' };
    await expect(post({ page }).extraction).rejects.toMatchObject({ code: 'unexpected_redirect' });
  });

  it.each<[string, Reply, object]>([
    ['nowhere', { status: 404, body: '' }, { code: 'not_found' }],
    ['to the login page', to('/accounts/login/'), { code: 'signin_required' }],
    ['to another site', to('https://cdn.example/'), { code: 'unexpected_redirect' }],
    [
      'to a broken page of another kind',
      { body: '<meta property="og:url" content="https://cdn.example/x" />' },
      { code: 'unexpected_redirect' },
    ],
    ['to nothing', to('https://'), { code: 'invalid_response_data' }],
    ['to itself', to('https://www.instagram.com/share/reel/X1'), { code: 'invalid_response_data' }],
    ['to a profile', to('https://www.instagram.com/natgeo/'), { code: 'invalid_url' }],
  ])('is reported when a short link leads %s', async (_, share, expected) => {
    const { extraction, requests } = post({ share }, 'https://www.instagram.com/share/reel/X1');
    await expect(extraction).rejects.toMatchObject(expected);
    expect(requests[0]?.headers['user-agent']).toBe('Millrace');
  });
});
