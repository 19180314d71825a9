import { describe, expect, inject, test } from 'vitest';
import { personName } from '../../lab/platforms/names.ts';
import type { Result } from '../support/envelope.ts';
import { extract } from '../support/http-client.ts';
import { dataFaults, openP4, pageFaults } from '../support/p4-client.ts';
import { EXTRACTION_LIMIT_MS } from '../support/time-limits.ts';

const service = inject('serviceUrl');
const { user } = openP4(service);
const link = (name: string) => `https://www.tiktok.com/@${name}`;

/** Returns the three objects of the site in a result. */
async function objectsOf(name: string) {
  const { body } = await user(link(name));
  expect(body.error).toBeNull();
  const author = body.metadata.author as Readonly<Record<'user' | 'stats' | 'statsV2', Record<string, unknown>>>;
  return { body, ...author };
}

describe('GET /p4/v3/user/details', () => {
  test("returns the site's own objects, and a user with our member names", async () => {
    const { body, user, stats, statsV2 } = await objectsOf('thelab');
    expect(body).not.toHaveProperty('contents');
    expect(body.metadata).toMatchObject({
      title: 'The Lab',
      thumbnailUrl: expect.stringMatching(/^https:.*:1080:1080\.jpeg/),
      author: {
        name: 'The Lab',
        handle: 'thelab',
        url: link('thelab'),
        verified: true,
        link: 'lab.example/thelab',
        followerCount: Number(statsV2.followerCount),
        likeCount: Number(statsV2.heartCount),
        videoCount: Number(statsV2.videoCount),
      },
      additionalData: { source: 'desktop', createdAt: '2020-01-12T23:49:23.000Z', language: 'en', region: 'US' },
    });
    expect(user).toMatchObject({ uniqueId: 'thelab', secUid: expect.stringMatching(/^MS4wLjABAAAA/) });
    expect(stats.followerCount).toBe(Math.round(Number(statsV2.followerCount) / 100) * 100);
    expect(body.notes).toContain('This request cost 1 credit.');
  });

  test('derives exact counts as text when the page has none', async () => {
    const { stats, statsV2 } = await objectsOf('theoldlab');
    expect(Object.keys(statsV2)).toEqual(Object.keys(stats));
    for (const [name, value] of Object.entries(stats)) expect(statsV2[name]).toBe(String(value));
  });

  test('returns a private account with the details of its page', async () => {
    const { body, stats } = await objectsOf('labprivateseen');
    expect(body.metadata.author).toMatchObject({ private: true, followerCount: expect.any(Number) });
    expect(stats.videoCount).toEqual(expect.any(Number));
  });

  test('finds a user by a post in the embedded box when the page is hidden', async () => {
    const { body, user, stats, statsV2 } = await objectsOf('labembed');
    expect(body.metadata.additionalData).toMatchObject({ source: 'embed' });
    expect(user).toMatchObject({ uniqueId: 'labembed', nickname: personName('labembed') });
    expect([stats.videoCount, statsV2.videoCount]).toEqual([expect.any(Number), expect.any(String)]);
  });

  test.each([
    'http://tiktok.com/@thelab/',
    'https://m.tiktok.com/@thelab?lang=de#top',
    'https://www.tiktok.com/@TheLab',
    'https://www.tiktok.com/@thelab/live',
    'https://vm.tiktok.com/ZMlabuser/',
    'https://www.tiktok.com/t/ZMlabuser/',
    'https://us.tiktok.com/@thelab',
    'https://www.tiktok.com/en/@thelab',
    'Follow me: tiktok.com/@thelab!',
    '@thelab',
  ])('accepts %s', async (url) => {
    const { body } = await user(url);
    expect([body.error, body.metadata.title]).toEqual([null, 'The Lab']);
  });

  test('returns the same user for a name each time', async () => {
    const [first, second] = [await objectsOf('any.one-2'), await objectsOf('any.one-2')];
    expect(first.user.uniqueId).toBe('any.one-2');
    expect(second.statsV2).toEqual(first.statsV2);
  });

  test.each<readonly [string, string]>([
    ['labnobody', 'not_found'],
    ['labprivate', 'unavailable'],
    ['labbanned', 'unavailable'],
    ['lablogin', 'signin_required'],
    ['labembedoff', 'non_2xx_response'],
    ['labstranger', 'non_2xx_response'],
    ['labshell', 'non_2xx_response'],
    ['labmoved', 'invalid_response_data'],
    ...pageFaults,
    ...dataFaults,
  ])('%s returns 200 with %s', async (name, code) => {
    const start = performance.now();
    const { status, body } = await user(link(name));
    expect([status, body.error?.code]).toEqual([200, code]);
    expect(body.metadata).toEqual({});
    expect(performance.now() - start).toBeLessThan(EXTRACTION_LIMIT_MS);
  });

  test.each([
    ['', 'params_not_found'],
    ['url=', 'params_not_found'],
    ['url=thelab', 'invalid_url'],
    ['url=7559142440960000001', 'invalid_url'],
    ['url=https://www.tiktok.com/', 'invalid_url'],
    ['url=https://www.tiktok.com/@MS4wLjABAAAAf-SIwwe7Qj5TfGXVax4GjJDMCil_y', 'invalid_url'],
    ['url=https://www.tiktok.com/@thelab/video/7559142440960000001', 'invalid_url'],
    ['url=https://www.youtube.com/@thelab', 'invalid_platform_url'],
    [`url=${'a'.repeat(5_001)}`, 'invalid_params'],
  ])('?%s returns 400 %s, naming url', async (query, code) => {
    const { status, body } = await extract<Result>(`${service}/p4/v3/user/details?${query}`);
    expect([status, body.error?.code, body.error?.parameter]).toEqual([400, code, 'url']);
  });

  test('refuses a short link to a post', async () => {
    expect((await user('https://vm.tiktok.com/ZMlab0002/')).body.error?.code).toBe('invalid_url');
  });
});
