import { randomUUID } from 'node:crypto';
import { Client } from 'undici';
import { afterAll, describe, expect, inject, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { extract } from '../support/http-client.ts';
import { keys } from '../support/processes.ts';
import { EXTRACTION_LIMIT_MS } from '../support/time-limits.ts';

const service = inject('serviceUrl');
const site = 'https://www.facebook.com';

const asking = (path: string, query: Readonly<Record<string, string>>) =>
  extract<Result>(`${service}/p3/v3${path}?${new URLSearchParams(query)}`);

const paths = [
  '/post/details',
  '/profile/details',
  '/profile/id',
  '/profile/about',
  '/profile/reels',
  '/profile/photos',
];

describe('an unavailable post', () => {
  test.each([
    ['live', '/reel/770000000000011', 'unavailable', true],
    ['for adults, although its files are listed', '/reel/770000000000012', 'age_restricted', false],
    ['behind a warning, without files', '/reel/770000000000013', 'unavailable', false],
    ['removed', '/reel/770000000000014', 'unavailable', false],
    ['behind the sign-in page', '/reel/770000000000015', 'signin_required', true],
    ['on a page about others', '/reel/770000000000016', 'not_found', false],
    ['behind a checkpoint', '/reel/770000000000021', 'non_2xx_response', true],
    ['throttled', '/reel/770000000000023', 'non_2xx_response', true],
    ['unknown', '/reel/4040000000001', 'unavailable', false],
    ['removed, as a post', '/thelab/posts/880000000000007', 'unavailable', false],
    ['behind the sign-in page, as a post', '/thelab/posts/880000000000008', 'signin_required', true],
    ['on a page about others, as a post', '/thelab/posts/880000000000009', 'not_found', false],
    ['removed, as a photo', '/photo/?fbid=660000000000002', 'unavailable', false],
    ['behind the sign-in page, as a photo', '/photo/?fbid=660000000000003', 'signin_required', true],
  ])('%s returns 200 with %s, %s', async (_, path, code, retryable) => {
    const { status, body } = await asking('/post/details', { url: site + path });
    expect(status).toBe(200);
    expect(body.error).toMatchObject({ code, retryable, message: expect.stringMatching(/^[A-Z].*\.$/) });
    expect(Object.keys(body.metadata)).toEqual([]);
  });

  test('returns the text of an age gate', async () => {
    const { body } = await asking('/post/details', { url: `${site}/reel/770000000000012` });
    expect(body.error?.reason).toContain('over 18');
  });
});

describe('the sign-in page', () => {
  // The node remembers which pages the site has served to it; one connection always leads to the same node.
  const connection = new Client(service);
  afterAll(() => connection.close());

  async function asking(path: string, query: Readonly<Record<string, string>>) {
    const headers = { 'x-marketplace-key': keys.MEGA, 'x-marketplace-host': 'api.example' };
    const { body } = await connection.request({ method: 'GET', path: `/p3/v3${path}`, query, headers });
    return { body: (await body.json()) as Result };
  }

  test('means throttling when it replaces a profile that was served before', async () => {
    const url = `${site}/lab.once-${randomUUID()}`;
    expect((await asking('/profile/details', { url })).body.error).toBeNull();
    expect((await asking('/profile/id', { url })).body.error).toMatchObject({
      code: 'non_2xx_response',
      retryable: true,
    });
    expect((await asking('/profile/photos', { url })).body.error).toBeNull();
  });

  test('means throttling when it replaces one profile after another, until one is served', async () => {
    const walled = async (name: string) =>
      (await asking('/profile/details', { url: `${site}/lab.walled-${name}` })).body.error?.code;
    // Each profile is served once, and never from a cached response.
    const extractPublic = async () =>
      expect((await asking('/profile/id', { url: `${site}/lab.once-${randomUUID()}` })).body.error).toBeNull();
    await extractPublic();
    expect([await walled('a'), await walled('b'), await walled('c'), await walled('d')]).toEqual([
      'signin_required',
      'signin_required',
      'signin_required',
      'non_2xx_response',
    ]);
    await extractPublic();
    expect(await walled('d')).toBe('signin_required');
  });
});

describe('a failing source', () => {
  test.each([
    ['labhttp429', 'non_2xx_response'],
    ['labhttp503', 'non_2xx_response'],
    ['labnotpage', 'non_2xx_response'],
    ['labisvoid', 'non_2xx_response'],
    ['labisjson', 'non_2xx_response'],
    ['labbroken', 'non_2xx_response'],
    ['labisutf', 'non_2xx_response'],
    ['labishuge', 'invalid_response_data'],
    ['labisslow', 'operation_timeout'],
    ['labloops', 'unexpected_redirect'],
    ['labaway', 'unexpected_redirect'],
    ['labinside', 'unexpected_redirect'],
  ])('%s returns %s for posts and profiles in time', async (word, code) => {
    const started = performance.now();
    const responses = await Promise.all([
      asking('/post/details', { url: `${site}/thelab/posts/pfbid0${word}aaaaaaaa` }),
      asking('/profile/details', { url: `${site}/${word}` }),
      asking('/profile/photos', { url: `${site}/${word}` }),
    ]);
    expect(performance.now() - started).toBeLessThan(EXTRACTION_LIMIT_MS);
    for (const { status, body } of responses) {
      expect(status).toBe(200);
      expect(body.error).toMatchObject({ code, retryable: true });
    }
  });

  test('that is silent in any step returns an error in time', async () => {
    const started = performance.now();
    const { body } = await asking('/post/details', { url: `${site}/reel/770000000000024` });
    expect(body.error).toMatchObject({ code: 'operation_timeout', retryable: true });
    expect(performance.now() - started).toBeLessThan(EXTRACTION_LIMIT_MS);
  });
});

describe('the parameter url', () => {
  test.each(paths)('of %s is required', async (path) => {
    for (const query of [{}, { url: '' }]) {
      const { status, body } = await asking(path, query);
      expect([status, body.error?.code, body.error?.parameter]).toEqual([400, 'params_not_found', 'url']);
    }
  });

  test.each(paths)('of %s must contain a link of the platform', async (path) => {
    for (const [url, code] of [
      ['no link at all', 'invalid_url'],
      ['https://youtu.be/dQw4w9WgXcQ', 'invalid_platform_url'],
      ['https://facebook.com.evil.example/thelab', 'invalid_platform_url'],
      [`${site}/marketplace/item/1`, 'invalid_url'],
      [`${site}/events/123456789`, 'invalid_url'],
      [site, 'invalid_url'],
      ['https://www.instagram.com/reel/abc/ and https://www.facebook.com/events/1', 'invalid_url'],
    ] as const) {
      const { status, body } = await asking(path, { url });
      expect([url, status, body.error?.code, body.error?.parameter]).toEqual([url, 400, code, 'url']);
    }
  });

  test('must lead to the post or the profile that the endpoint expects', async () => {
    const wrong = await asking('/post/details', { url: `${site}/thelab` });
    expect([wrong.status, wrong.body.error?.code]).toEqual([400, 'invalid_url']);
    for (const path of paths.slice(1)) {
      const { status, body } = await asking(path, { url: `${site}/reel/770000000000001` });
      expect([status, body.error?.code]).toEqual([400, 'invalid_url']);
    }
  });
});
