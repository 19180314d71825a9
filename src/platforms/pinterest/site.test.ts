import { expect, it } from 'vitest';
import { budgets, defaultSite, siteSetting } from './site.ts';

it("applies the operator's changes", () => {
  expect(siteSetting.read('{"pwsHandler":"www/pin/[id].js"}')).toEqual({
    ...defaultSite,
    pwsHandler: 'www/pin/[id].js',
  });
});

it.each([
  ['no json', /must be JSON/],
  ['[]', /JSON object/],
  ['{"other":"x"}', /contains the unknown member other/],
  ['{"userAgent":5}', /invalid userAgent/],
  ['{"userAgent":""}', /invalid userAgent/],
  ['{"pwsHandler":"a\\r\\nx: y"}', /invalid pwsHandler/],
])('rejects %s', (json, message) => {
  expect(() => siteSetting.read(json)).toThrow(message);
});

it('leaves time for every request of the longest fallback chain', () => {
  const { shortLink, resource, detailed, page, oembed } = budgets;
  expect(shortLink + 2 * resource + detailed + 2 * page + oembed).toBeLessThanOrEqual(25_000);
});
