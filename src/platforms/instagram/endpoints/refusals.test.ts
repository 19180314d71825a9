import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import type { Reply } from '../../testing/fake-site.ts';
import { block, code, graph, type Kind, lsd, post, reel, route, shell, xig } from '../testing/fake-instagram.ts';

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
    ['private page', { body: '"polaris.privatePostPage"' }, { code: 'unavailable' }, 1],
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
    ['login route', { body: lsd + route('PolarisCAAIGLoginHomepageRoute') }, { code: 'signin_required' }, 5],
    ['something else', { body: `${lsd}<html>` }, { code: 'invalid_response_data' }, 5],
  ])('is reported: %s', async (_, page, error, expectedRequests) => {
    const { extraction, requests } = post({ page });
    await expect(extraction).rejects.toMatchObject(error);
    expect(requests.length).toBeLessThanOrEqual(expectedRequests + 1);
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

  it('is unavailable when a query returns nothing, unless a later strategy finds it', async () => {
    const { extraction, kinds } = post({ page: { body: shell }, shortcode: absent });
    await expect(extraction).rejects.toMatchObject({ code: 'unavailable', retryable: true });
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
    ['to nothing', to('https://'), { code: 'invalid_response_data' }],
    ['to itself', to('https://www.instagram.com/share/reel/X1'), { code: 'invalid_response_data' }],
    ['to a profile', to('https://www.instagram.com/natgeo/'), { code: 'invalid_url' }],
  ])('is reported when a short link leads %s', async (_, share, expected) => {
    const { extraction, requests } = post({ share }, 'https://www.instagram.com/share/reel/X1');
    await expect(extraction).rejects.toMatchObject(expected);
    expect(requests[0]?.headers['user-agent']).toBe('Millrace');
  });
});
