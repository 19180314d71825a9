import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { startCpuClock } from '../testing/cpu-clock.ts';
import { propertyRuns } from '../testing/property-runs.ts';
import { hashtagsIn, mentionsIn, webLinksIn } from './text-entities.ts';

describe('hashtags', () => {
  test.each([
    ['#हिन्दी #ไทยแลนด์ #বাংলা', ['हिन्दी', 'ไทยแลนด์', 'বাংলা']],
    ['#می‌خواهم و #café', ['می‌خواهم', 'café']],
    ['#one#two ＃三 #one.', ['one', 'two', '三']],
    ['写真を#旅行、#2024', ['旅行', '2024']],
    ['it&#39;s https://site.example/a#part', []],
  ])('in %j are %j', (text, tags) => expect(hashtagsIn(text)).toEqual(tags));

  it('are limited in number and length', () => {
    const tags = hashtagsIn(Array.from({ length: 1_000 }, (_, index) => `#${'t'.repeat(150)}${index}`).join(' '));
    expect(tags).toEqual(['t'.repeat(100)]);
    expect(hashtagsIn(Array.from({ length: 1_000 }, (_, index) => `#t${index}`).join(' '))).toHaveLength(200);
  });
});

describe('mentions', () => {
  test.each([
    ['with @nasa, @na_sa.gov. and ＠esa', ['nasa', 'na_sa.gov', 'esa']],
    ['撮影@nasaのために', ['nasa']],
    ['mail@example.org https://site.example/@name @', []],
  ])('in %j are %j', (text, names) => expect(mentionsIn(text)).toEqual(names));
});

describe('links', () => {
  test.each([
    ['see https://a.example/x). Or (http://b.example/y?z=1)!', ['https://a.example/x', 'http://b.example/y?z=1']],
    ['https://a.example/x https://a.example/x.', ['https://a.example/x']],
    [
      'https://a.example/x_(y). https://b.example/س، https://c.example/好，再',
      ['https://a.example/x_(y)', 'https://b.example/س', 'https://c.example/好'],
    ],
    [
      '**https://a.example/b** https://c.example/d🎉 https://e.example/f»',
      ['https://a.example/b', 'https://c.example/d', 'https://e.example/f'],
    ],
    ['ftp://a.example no link', []],
  ])('in %j are %j', (text, links) => expect(webLinksIn(text)).toEqual(links));
});

test('entities of any text are parts of it and are found in linear time', () => {
  const pieces = fc.constantFrom('#', '@', '.', 'a', 'ि', '_', ' ', 'https://', '😀', '\u200d', 'x'.repeat(200));
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 300 }), (parts) => {
      const text = parts.join('');
      for (const found of [hashtagsIn(text), mentionsIn(text), webLinksIn(text)]) {
        expect(new Set(found).size).toBe(found.length);
        for (const each of found) expect(text).toContain(each);
      }
    }),
    { numRuns: propertyRuns(50) },
  );
  const elapsed = startCpuClock();
  for (const piece of ['#', '@', '@a.', 'https://', '#a']) {
    const text = piece.repeat(100_000);
    hashtagsIn(text);
    mentionsIn(text);
    webLinksIn(text);
  }
  expect(elapsed()).toBeLessThan(2_000);
});
