import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../testing/property-runs.ts';
import { languageTagPattern, matchLanguage, toLanguageTag } from './language-tag.ts';

describe('the language tag of a site’s code', () => {
  it.each([
    ['de', 'de'],
    ['pt_BR', 'pt-BR'],
    ['zh-Hans-TW', 'zh-Hans-TW'],
    ['eng-US', 'eng-US'],
    ['es-419', 'es-419'],
    ['en-nP7-2PuUl7o', 'en'],
    ['en-auto', 'en-auto'],
    ['english', undefined],
    ['', undefined],
    [undefined, undefined],
    ['1', undefined],
  ])('of %s is %s', (code, tag) => {
    expect(toLanguageTag(code)).toBe(tag);
  });

  it('is valid or absent for any text', () => {
    const codes = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'abZ09-_'), maxLength: 40 }));
    fc.assert(
      fc.property(codes, (code) => {
        const tag = toLanguageTag(code);
        if (tag === undefined) return;
        expect(tag).toMatch(new RegExp(languageTagPattern));
        expect(tag.length).toBeLessThanOrEqual(35);
        expect(toLanguageTag(tag)).toBe(tag);
      }),
      { seed: 233, numRuns: propertyRuns(2000) },
    );
  });
});

describe('a requested language', () => {
  it.each([
    ['de', ['de-DE', 'de'], 'de'],
    ['de', ['en', 'de-DE', 'de-AT'], 'de-DE'],
    ['DE-at', ['de-DE', 'de-AT'], 'de-AT'],
    ['de', ['den', 'en'], undefined],
    ['de-DE', ['de'], undefined],
    ['de', [], undefined],
  ])('%s among %j matches %s', (requested, available, match) => {
    expect(matchLanguage(requested, available)).toBe(match);
  });
});
