import { describe, expect, it } from 'vitest';
import { fakeSite } from '../testing/fake-site.ts';
import { createTiktok, tiktok } from './index.ts';
import { defaultSite, siteSetting, userAgentSetting } from './site.ts';

/** Returns the requests for a post and a user with the operator's settings. */
async function requestsWith(P4_SITE: string) {
  const site = fakeSite(() => ({ status: 500, body: '' }));
  const settings = { P4_USER_AGENTS: defaultSite.userAgents, P4_SITE: siteSetting.read(P4_SITE) };
  const { endpoints } = createTiktok({ ...settings.P4_SITE, userAgents: settings.P4_USER_AGENTS }, () =>
    Promise.resolve(),
  );
  expect(tiktok.create(settings).endpoints).toHaveLength(endpoints.length);
  for (const [index, url] of [
    'https://www.tiktok.com/@a/video/7000000000000000000',
    'https://www.tiktok.com/@a',
  ].entries())
    await expect(endpoints[index]?.extract({ url }, site.context)).rejects.toThrow();
  return site.requests;
}

describe('P4_USER_AGENTS', () => {
  it("applies the operator's changes", () => {
    expect(userAgentSetting.read('{"desktop":"Mozilla/5.0 new"}')).toEqual({
      ...defaultSite.userAgents,
      desktop: 'Mozilla/5.0 new',
    });
    expect(userAgentSetting.read('{}')).toEqual(defaultSite.userAgents);
  });

  it.each([
    ['{', 'must be JSON'],
    ['[]', 'must be a JSON object'],
    ['{"tablet":"a"}', 'contains the unknown member tablet; use only desktop, mobile'],
    ['{"mobile":5}', 'has an invalid mobile'],
    ['{"mobile":""}', 'has an invalid mobile'],
    ['{"mobile":"a\\r\\nb: c"}', 'has an invalid mobile'],
  ])('rejects %s', (json, message) => {
    expect(() => userAgentSetting.read(json)).toThrow(message);
  });
});

describe('P4_SITE', () => {
  it('sends the headers of each client with its requests', async () => {
    const requests = await requestsWith(
      '{"headers":{"desktop":{"X-New":"1","referer":"https://www.tiktok.com/foryou"},"mobile":{"X-New":"2"}}}',
    );
    const headersOf = (userAgent: string) =>
      requests.filter(({ headers }) => headers['user-agent'] === userAgent).map(({ headers }) => headers);
    const desktop = headersOf(defaultSite.userAgents.desktop);
    const mobile = headersOf(defaultSite.userAgents.mobile);
    expect(new Set(desktop.map((headers) => headers.referer))).toEqual(new Set(['https://www.tiktok.com/foryou']));
    expect(new Set(desktop.map((headers) => headers['x-new']))).toEqual(new Set(['1']));
    expect(new Set(mobile.map((headers) => headers['x-new']))).toEqual(new Set(['2']));
  });

  it('sends a Referer with desktop requests by default, and none if the operator removes it', async () => {
    const referers = async (json: string) => new Set((await requestsWith(json)).map(({ headers }) => headers.referer));
    expect(await referers('{}')).toEqual(new Set(['https://www.tiktok.com/', undefined]));
    expect(await referers('{"headers":{"desktop":{"referer":""}}}')).toEqual(new Set([undefined]));
  });

  it('requests pages from another origin', async () => {
    const requests = await requestsWith('{"origin":"https://m.tiktok.com"}');
    expect(new Set(requests.map(({ url }) => url.origin))).toEqual(new Set(['https://m.tiktok.com']));
    expect(new Set(requests.map(({ url }) => url.pathname))).toEqual(
      new Set(['/@a/video/7000000000000000000', '/@a', '/embed/@a']),
    );
  });

  it.each([
    ['[]', 'must be a JSON object'],
    ['{"desktop":"a"}', 'contains the unknown member desktop; use only origin, headers'],
    ['{"origin":"http://www.tiktok.com"}', 'must have an HTTPS origin'],
    ['{"origin":"https://www.tiktok.com/"}', 'must have an HTTPS origin'],
    ['{"origin":"https://tiktok.com.evil.example"}', 'must have an origin of tiktok.com'],
    ['{"headers":{"tablet":{}}}', 'contains the unknown member headers.tablet; use only desktop, mobile'],
    ['{"headers":{"mobile":[]}}', 'must have an object as headers.mobile'],
    ['{"headers":{"mobile":{"x a":"1"}}}', 'contains the unknown member headers.mobile.x a'],
    ['{"headers":{"mobile":{"user-agent":"1"}}}', 'must not have user-agent in headers.mobile'],
    ['{"headers":{"mobile":{"x-a":"1\\r\\nb: c"}}}', 'has an invalid headers.mobile.x-a'],
  ])('rejects %s', (json, message) => {
    expect(() => siteSetting.read(json)).toThrow(message);
  });
});
