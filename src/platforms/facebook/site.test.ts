import { Check } from 'typebox/value';
import { expect, it } from 'vitest';
import { createPlatforms, defaultSettings } from '../index.ts';
import { fakeSite } from '../testing/fake-site.ts';
import { readDocumentId, scriptsOf } from './find/document-ids.ts';
import { createFacebook } from './index.ts';
import { defaultSite, siteSetting } from './site.ts';

it('the platform is registered as p3', () => {
  const platforms = createPlatforms(defaultSettings);
  expect(platforms.find(({ id }) => id === 'p3')?.endpoints.map(({ path }) => path)).toEqual(
    createFacebook().endpoints.map(({ path }) => path),
  );
});

it.each([
  [{ url: 'https://www.facebook.com/x', renderableFormats: ['720p', 'all_highres'] }, true],
  [{ url: 'https://www.facebook.com/x', renderableFormats: ['2160p'] }, false],
  [{}, false],
])('validates the parameters %j', (parameters, valid) => {
  const [details] = createFacebook().endpoints;
  expect(details && Check(details.parameters, parameters)).toBe(valid);
  expect(details?.renderables?.matches('720p', '720p')).toBe(true);
});

it('accepts changes by the operator', () => {
  const site = siteSetting.read('{"userAgent":"Me","photos":["27649309394718323"]}');
  expect(site.userAgent).toBe('Me');
  expect(site.documentIds).toEqual({ ...defaultSite.documentIds, photos: ['27649309394718323'] });
});

it.each([
  ['', 'must be JSON'],
  ['[]', 'must be a JSON object'],
  ['{"a":1}', 'contains the unknown member a; use only userAgent, headers, reels, photos'],
  ['{"userAgent":"a\\nb"}', 'has an invalid userAgent'],
  ['{"headers":{"Cookie":"a"}}', 'must not have cookie in headers'],
  ['{"reels":[]}', 'must have a list of 1 to 10 entries as reels'],
  ['{"photos":["x"]}', 'has an invalid photos'],
])('rejects the setting %s', (text, message) => {
  expect(() => siteSetting.read(text)).toThrow(message);
});

it('sends the headers that the operator adds with page requests', async () => {
  const site = fakeSite(() => ({ status: 500, body: '' }));
  const [details] = createFacebook(siteSetting.read('{"headers":{"X-New":"1","Sec-Fetch-User":""}}')).endpoints;
  await expect(details?.extract({ url: 'https://www.facebook.com/watch/?v=1234567' }, site.context)).rejects.toThrow();
  expect(site.requests[0]?.headers).toMatchObject({ 'x-new': '1', 'sec-fetch-mode': 'navigate' });
  expect(site.requests[0]?.headers).not.toHaveProperty('sec-fetch-user');
});

it("finds an operation's document ID in a page's scripts", () => {
  const page =
    '"src":"https:\\/\\/static.xx.fbcdn.net\\/rsrc.php\\/v4\\/a.js?x" src="https://static.xx.fbcdn.net/rsrc.php/b.js"';
  expect(scriptsOf(page)).toEqual([
    'https://static.xx.fbcdn.net/rsrc.php/v4/a.js',
    'https://static.xx.fbcdn.net/rsrc.php/b.js',
  ]);
  expect(scriptsOf('https://evil.example/rsrc.php/a.js')).toEqual([]);
  expect(
    readDocumentId(
      'AQuery',
      '__d("AQuery_facebookRelayOperation",[],(function(a){a.exports="28838816002422324"}),null);',
    ),
  ).toBe('28838816002422324');
  expect(readDocumentId('BQuery', '__d("AQuery_facebookRelayOperation",[],0);')).toBeUndefined();
});
