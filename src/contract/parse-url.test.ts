import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../testing/property-runs.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { parseUrl, validUrl } from './parse-url.ts';

/** Letters that all differ, which take longest to convert. */
const letters = (count: number) =>
  String.fromCodePoint(...Array.from({ length: count }, (_, at) => 0x4e00 + ((at * 7919) % 20_900)));
const base = 'https://site.example/page/';
const long = letters(5_400);

describe('a URL is refused before it is parsed if its host is', () => {
  test.each([
    ['many letters', `http://${long}/`],
    ['many letters of another scheme with a converted host', `FILE://${long}/`],
    ['many escaped letters', `http://${encodeURIComponent(long)}/`],
    ['many letters among others that are removed', `h\ttt\np:\r/\t/\n${long}/`],
    ['many letters behind spaces', ` \0\u001fhttps://${long}`],
    ['many letters behind backslashes', `https:\\\\${long}\\`],
    ['many letters behind a scheme without slashes', `wss:${long}`],
    ['many letters behind more slashes', `http:///\\//${long}?`],
    ['many letters behind a user name and a password', `http://a@b:c@${long}:80/`],
    ['many letters of a reference without a scheme', `//${long}/a`],
    ['many letters of a reference behind more slashes', `/\\//${long}#`],
    ['a label of 64 letters', `http://${letters(64)}.example/`],
    ['a label of 64 letters behind an ideographic full stop', `http://a\u3002${letters(64)}/`],
    ['254 letters in short labels', `http://${[...letters(127)].join('.')}.a/`],
    ['marks in an order that takes long to sort', `http://a${'\u0301\u0323'.repeat(2_000)}/`],
  ])('%s', (_what, text) => {
    expect(URL.canParse(text, base)).toBe(true);
    expect(parseUrl(text, base)).toBeNull();
  });
});

test('a base is bounded, too', () => {
  expect(parseUrl('/a', `http://${long}/`)).toBeNull();
});

test('a URL of more than 65,536 characters is refused, as written or after it is resolved', () => {
  const longest = base + 'a'.repeat(65_536 - base.length);
  expect(parseUrl(longest)?.href).toBe(longest);
  expect(parseUrl(`${longest}a`)).toBeNull();
  expect(parseUrl('é'.repeat(20_000), base)).toBeNull();
});

test.each([
  'https://bücher.example:8080/ü?ü#ü',
  'https://example.com.。'.slice(0, -1),
  `https://${letters(63)}.${letters(62)}.com/`,
  `https://${'%E4%B8%80'.repeat(20)}.example/`,
  `https://user:${'pä'.repeat(400)}@site.example/`,
  `https://${'a.'.repeat(8_000)}example/`,
  `https://site.example/${letters(2_000)}/?${letters(2_000)}`,
  `${letters(1_000)}/${letters(1_000)}`,
  `/${letters(1_000)}`,
  `data:text/plain,${letters(1_000)}`,
  'https://[2001:db8::1]/',
  'no URL: \\',
])('other URLs are parsed as the platform parses them: %s', (text) => {
  expect(parseUrl(text, base)?.href).toBe(URL.parse(text, base)?.href);
});

test('any combination of the parts of URLs is parsed as the platform parses it, unless its host is long', () => {
  const random = seededRandom(1);
  const parts = ['http', 'https', 'foo', 'file', ':', ':', '/', '/', '//', '\\', '\t', '\n', ' ', '\0', '@', '?', '#'];
  const others = ['.', '%', '%E4', '[', ']', ':80', 'a', 'ü', 'site.example', '..', letters(64), letters(300)];
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)];
  let refused = 0;
  for (let run = 0; run < propertyRuns(30_000); run += 1) {
    const text = Array.from({ length: 1 + random() * 9 }, () => pick([...parts, ...others])).join('');
    const from = pick([undefined, base, 'file:///a/b', 'foo:a', 'foo://a/b']);
    const [expected, actual] = [URL.parse(text, from), parseUrl(text, from)];
    const isConverted = /^(?:https?|file):/.test(expected?.protocol ?? '');
    if (expected !== null && isConverted && expected.hostname.length > 4 * 63) {
      expect(actual, text).toBeNull();
      refused += 1;
    }
    if (actual !== null || !text.includes(letters(64))) expect(actual?.href, text).toBe(expected?.href);
    // What is accepted can be parsed again.
    if (actual !== null) expect(parseUrl(actual.href)?.href, text).toBe(URL.parse(actual.href)?.href);
  }
  expect(refused).toBeGreaterThan(10);
});

test('a text that is no valid URL is an error where a valid one is expected', () => {
  expect(() => validUrl('none')).toThrow(TypeError);
  expect(validUrl('a', base).href).toBe(`${base}a`);
});
