import { expect, it } from 'vitest';
import { budgets, defaultSite, siteSetting } from './site.ts';

it('changes what the operator names', () => {
  expect(siteSetting.read('{"pwsHandler":"www/pin/[id].js"}')).toEqual({
    ...defaultSite,
    pwsHandler: 'www/pin/[id].js',
  });
});

it.each([
  ['no json', /must be JSON/],
  ['[]', /JSON object/],
  ['{"other":"x"}', /knows no other/],
  ['{"userAgent":5}', /wrong userAgent/],
  ['{"userAgent":""}', /wrong userAgent/],
  ['{"pwsHandler":"a\\r\\nx: y"}', /wrong pwsHandler/],
])('refuses %s', (json, message) => {
  expect(() => siteSetting.read(json)).toThrow(message);
});

it('leaves every step of the longest way its time', () => {
  const { shortLink, resource, detailed, page, oembed } = budgets;
  expect(shortLink + 2 * resource + detailed + 2 * page + oembed).toBeLessThanOrEqual(25_000);
});
