import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bindHeaders, headersFor, withHeaders } from './credentials.ts';

const secrets = { Cookie: 'a=1', Authorization: 'Bearer a', 'Proxy-Authorization': 'Basic a', 'X-Token': 'a' };
const visible = {
  'user-agent': 'UA',
  referer: 'https://page.example/path?query',
  origin: 'https://page.example',
  accept: '*/*',
  'accept-language': 'de',
  range: 'bytes=0-1',
};
const boundHeaders = bindHeaders('https://cdn.example/path', { ...secrets, ...visible });
const sentTo = (url: string, headers = boundHeaders) => headersFor(new URL(url), headers);

describe('bound headers', () => {
  test.each(['https://cdn.example/other?a=1', 'https://CDN.example:443/', 'https://cdn.example/../x'])(
    'are all sent to %s, which is the same origin',
    (url) => {
      const lowerCase = Object.entries(secrets).map(([name, value]) => [name.toLowerCase(), value]);
      expect(sentTo(url)).toEqual({ ...Object.fromEntries(lowerCase), ...visible });
    },
  );

  test.each([
    'http://cdn.example/path',
    'https://cdn.example:8443/path',
    'https://cdn.example./path',
    'https://sub.cdn.example/path',
    'https://example/path',
    'https://cdn.example.evil.example/path',
    'https://evil.example/cdn.example',
  ])('that any origin may see are the only ones sent to %s', (url) => {
    expect(sentTo(url)).toEqual(visible);
  });

  test('given for an invalid URL belong to no origin', () => {
    expect(sentTo('https://cdn.example/', bindHeaders('no URL', secrets))).toEqual({});
  });

  test('keep their origin when others are added', () => {
    const more = withHeaders(boundHeaders, { range: 'bytes=5-', 'x-more': 'a' });
    expect(sentTo('https://evil.example/', more)).toEqual({ ...visible, range: 'bytes=5-' });
    expect(sentTo('https://cdn.example/', more)).toMatchObject({ cookie: 'a=1', 'x-more': 'a' });
  });

  test('with a fixed vocabulary are sent to any origin, but only with values from that vocabulary', () => {
    const page = { 'sec-fetch-mode': 'navigate', 'sec-fetch-user': '?1', 'accept-encoding': 'identity' };
    expect(sentTo('https://evil.example/', bindHeaders('https://a.example', page))).toEqual(page);
    const tokens = { 'sec-fetch-mode': 'token', 'sec-fetch-site': 'token', 'accept-encoding': 'gzip, token' };
    expect(sentTo('https://evil.example/', bindHeaders('https://a.example', tokens))).toEqual({});
  });

  test('never reach another origin under a different name', () => {
    const allowedNames = new Set(Object.keys(visible));
    const name = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,40}$/);
    fc.assert(
      fc.property(fc.dictionary(name, fc.constant('secret-value')), (headers) => {
        const sentNames = Object.keys(sentTo('https://evil.example/', bindHeaders('https://a.example', headers)));
        expect(sentNames.filter((each) => !allowedNames.has(each))).toEqual([]);
      }),
      { seed: 5 },
    );
  });
});
