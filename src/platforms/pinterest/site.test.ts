import { expect, it } from 'vitest';
import { fakeSite } from '../testing/fake-site.ts';
import { createPinterest } from './index.ts';
import { budgets, defaultSite, siteSetting } from './site.ts';

it("applies the operator's changes", () => {
  expect(siteSetting.read('{"pwsHandler":"www/pin/[id].js"}')).toEqual({
    ...defaultSite,
    pwsHandler: 'www/pin/[id].js',
  });
});

it('sends the headers that the operator adds with requests of the JSON interface', async () => {
  const site = fakeSite(() => ({ status: 500, body: '' }));
  const [details] = createPinterest(siteSetting.read('{"headers":{"X-New":"1","Sec-Fetch-Mode":""}}')).endpoints;
  await expect(details?.extract({ pinId: '123456789' }, site.context)).rejects.toThrow();
  const [resource, ...others] = site.requests;
  expect(resource?.headers).toMatchObject({ 'x-new': '1', 'x-pinterest-pws-handler': defaultSite.pwsHandler });
  expect(resource?.headers).not.toHaveProperty('sec-fetch-mode');
  const pages = others.filter(({ url }) => !url.pathname.startsWith('/resource/'));
  expect(pages.length).toBeGreaterThan(0);
  for (const { headers } of pages) expect(headers).not.toHaveProperty('x-new');
});

it.each([
  ['no json', /must be JSON/],
  ['[]', /JSON object/],
  ['{"other":"x"}', /contains the unknown member other/],
  ['{"userAgent":5}', /invalid userAgent/],
  ['{"userAgent":""}', /invalid userAgent/],
  ['{"headers":{"Host":"a"}}', /must not have host in headers/],
  ['{"headers":{"x-a":5}}', /invalid headers.x-a/],
  ['{"pwsHandler":"a\\r\\nx: y"}', /invalid pwsHandler/],
])('rejects %s', (json, message) => {
  expect(() => siteSetting.read(json)).toThrow(message);
});

it('leaves time for every request of the longest fallback chain', () => {
  const { shortLink, resource, detailed, page, oembed } = budgets;
  expect(shortLink + 2 * resource + detailed + 2 * page + oembed).toBeLessThanOrEqual(25_000);
});
