import { Check } from 'typebox/value';
import { expect, it } from 'vitest';
import { createPlatforms, defaultSettings } from '../index.ts';
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

it.each(['', '[]', '{"a":1}', '{"userAgent":"a\\nb"}', '{"reels":[]}', '{"photos":["x"]}'])(
  'rejects the setting %s',
  (text) => {
    expect(() => siteSetting.read(text)).toThrow();
  },
);

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
