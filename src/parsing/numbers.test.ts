import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../testing/property-runs.ts';
import { countMembers, parseCount, parseDuration } from './numbers.ts';

test.each([
  ['1.2K views', 1_200],
  ['23.2k subscribers', 23_200],
  ['3.4M', 3_400_000],
  ['1.7bn views', 1_700_000_000],
  ['1.7B', 1_700_000_000],
  ['4,961,170', 4_961_170],
  ['like this video along with 4,961,170 other people', 4_961_170],
  ['12 lakh views', 1_200_000],
  ['1.2 crore views', 12_000_000],
  ['1.6 million views', 1_600_000],
  ['12,34,567 views', 1_234_567],
  ['No views', 0],
  ['No videos', 0],
  ['1 view', 1],
  ['50+ videos', 50],
  ['258 videos', 258],
  ['148 watching worldwide', 148],
  ['2 months', 2],
  ['', undefined],
  ['views', undefined],
  ['Nobody', undefined],
  ['1,3 Mio. Aufrufe', undefined],
  ['19\u00a0Mio. Aufrufe', undefined],
  ['12.345.678 Aufrufe', undefined],
  ['19.793', undefined],
  ['19.793 Aufrufe', undefined],
  ['19.793K', 19_793],
  ['9'.repeat(30), undefined],
])('parses %j', (text, number) => expect(parseCount(text)).toBe(number));

test.each([
  ['0:07', 7],
  ['9:43', 583],
  ['1:55:11', 6_911],
  ['100:00:00', 360_000],
  ['LIVE', undefined],
  ['9', undefined],
  ['9:99', undefined],
  [undefined, undefined],
])('parses the duration %j', (text, seconds) => expect(parseDuration(text)).toBe(seconds));

test('returns a count as a number and as text, or as text only if it contains no number', () => {
  expect(countMembers('viewCount', '1.2K views')).toEqual({ viewCount: 1_200, viewCountText: '1.2K views' });
  expect(countMembers('viewCount', 'many')).toEqual({ viewCountText: 'many' });
  expect(countMembers('viewCount', undefined)).toEqual({});
});

test('parses a written number back to the same value', () => {
  fc.assert(
    fc.property(fc.nat(), (number) => {
      expect(parseCount(`${number.toLocaleString('en')} views`)).toBe(number);
    }),
    { seed: 1 },
  );
});

test('terminates for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const number = parseCount(text);
      expect(number === undefined || (number >= 0 && Number.isSafeInteger(number))).toBe(true);
    }),
    { seed: 2, numRuns: propertyRuns(2_000) },
  );
});
