import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startCpuClock } from '../testing/cpu-clock.ts';
import { beginReading, countVisit, parseSiteJson } from './reading.ts';
import { httpSiteUrl, parseSiteUrl, validSiteUrl } from './site-urls.ts';

const refusal = expect.objectContaining({ code: 'invalid_response_data', message: expect.stringMatching(/too many/) });

/** Maximum size of a response in bytes. */
const maxLength = 4 * 1024 * 1024;

/** Returns members with different names. */
function namedMembers(count: number, after = ''): string {
  return Array.from({ length: count }, (_, at) => `"${at}"${after}:0,`).join('');
}

/** Returns objects whose members are always the same few, in different orders. */
function shuffledObjects(count: number): string {
  return Array.from({ length: count }, (_, at) => {
    const names = [...String(at).padStart(5, '0')].map((digit, place) => `"${place}${digit}":0`);
    return `{${names.join(',')}},`;
  }).join('');
}

/** Returns names whose hashes end alike in FNV-1a without a seed. */
function similarNames(count: number): string[] {
  const names: string[] = [];
  for (let at = 0; names.length < count; at += 1) {
    const name = at.toString(36);
    let hash = 0x811c9dc5;
    for (const character of name) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
    if ((hash & 0xf) === 0) names.push(name);
  }
  return names;
}

describe('JSON of a site', () => {
  test.each([
    ['a list like the largest one recorded', `[${'{"a":["b"]},'.repeat(22_000)}0]`],
    ['many members of few names', `[${'{"a":0,"b":"\\"c\\\\"},'.repeat(20_000)}0]`],
    ['many names', `{${namedMembers(19_000)}"1":0}`],
    ['a long text', `"${'a'.repeat(3_000_000)}"`],
    ['a text of braces', `"${'{[,:'.repeat(500_000)}"`],
    ['an escaped text', `"${'\\"{\\\\'.repeat(500_000)}"`],
  ])('with %s is parsed', (_what, text) => {
    expect(parseSiteJson(text)).toEqual(JSON.parse(text));
  });

  test('that is invalid is undefined', () => {
    for (const text of ['', '{', '"', '"\\', '}', '{"a":0}}', '["a"', '<html>']) {
      expect(parseSiteJson(text), text).toBeUndefined();
    }
  });

  test.each([
    ['objects', '{},'],
    ['members', '"a":0,'],
    ['lists', '['],
    ['open objects', '{"a":'],
    ['strings', '"a",'],
  ])('of %s only is refused, and costs little', (_what, part) => {
    const text = part.repeat(Math.floor(maxLength / part.length));
    const elapsed = startCpuClock();
    expect(() => parseSiteJson(text)).toThrow(refusal);
    expect(elapsed()).toBeLessThan(500);
  });

  test.each([
    ['in one object', `{${namedMembers(25_000)}"a":0}`],
    ['in objects', `[${namedMembers(25_000).replaceAll(/"\d+":0/g, '{$&}')}0]`],
    ['before spaces', `{${namedMembers(25_000, ' \n\t\r')}"a":0}`],
    ['with escaped quotation marks', `{${namedMembers(25_000).replaceAll('":', '\\"":')}"a":0}`],
    ['with escaped backslashes', `{${namedMembers(25_000).replaceAll('":', '\\\\":')}"a":0}`],
    ['with the same end', `{${namedMembers(25_000).replaceAll('":', '\\"a":')}"a":0}`],
    ['in many orders', `[${shuffledObjects(25_000)}0]`],
    ['that were chosen by their hashes', `{${similarNames(25_000).map((name) => `"${name}":0`)}}`],
  ])('with too many different names is refused: %s', (_what, text) => {
    expect(() => parseSiteJson(text)).toThrow(refusal);
  });

  test('is what JSON.parse returns, in a response and without one', () => {
    const text = fc.oneof(fc.json(), fc.string({ unit: fc.constantFrom(...'{}[]",:\\ 1a') }));
    fc.assert(
      fc.property(fc.array(text), fc.boolean(), (texts, isInResponse) => {
        if (isInResponse) beginReading('a.example');
        for (const each of texts) {
          let expected: unknown;
          try {
            expected = JSON.parse(each);
          } catch {
            expected = undefined;
          }
          expect(parseSiteJson(each)).toEqual(expected);
        }
      }),
    );
  });
});

describe('the JSON of one response', () => {
  test('is parsed once', () => {
    beginReading('a.example');
    const text = '{"a":[0]}';
    expect(parseSiteJson(text)).toBe(parseSiteJson(`${text} `.trim()));
    beginReading('a.example');
    const again = parseSiteJson(text);
    beginReading('a.example');
    expect(parseSiteJson(text)).not.toBe(again);
  });

  test('is bounded together, until the next turn of the event loop', async () => {
    const parse = (at: number) => parseSiteJson(`[${'0,'.repeat(50_000)}${at}]`);
    beginReading('a.example');
    parse(1);
    parse(2);
    parse(1);
    expect(() => parse(3)).toThrow('The response from a.example has too many values');
    await new Promise((resolve) => setImmediate(resolve));
    parse(4);
    parse(5);
    expect(parse(6)).toHaveLength(50_001);
  });

  test('has a bound for what searches visit', () => {
    const visit = () => {
      for (let count = 0; count < 2_000_001; count += 1) countVisit();
    };
    expect(visit).not.toThrow();
    beginReading('a.example');
    expect(visit).toThrow(refusal);
  });
});

describe('addresses of a response', () => {
  const link = `https://a.example/?${'a&'.repeat(32_000)}`;

  test.each([
    ['a link that is read often', () => parseSiteUrl(link)],
    ['a reference to an address', () => parseSiteUrl('b', link)],
    ['a link that is read again', () => validSiteUrl(link)],
    ['a web link', () => httpSiteUrl(link)],
    ['an invalid link', () => parseSiteUrl(link.slice(1))],
  ])('are bounded together: %s', (_what, read) => {
    beginReading('a.example');
    for (let count = 0; count < 65; count += 1) read();
    expect(read).toThrow(refusal);
    beginReading('a.example');
    expect(read).not.toThrow();
  });

  test('are not bounded outside a response', async () => {
    beginReading('a.example');
    await new Promise(setImmediate);
    for (let count = 0; count < 100; count += 1) expect(httpSiteUrl(link)).toBe(link);
  });
});
