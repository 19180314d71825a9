import { expect, test } from 'vitest';
import { clipShare, optionParameters, withoutOption } from './item-options.ts';

test('options become parameters of the extraction API', () => {
  expect(optionParameters({})).toEqual({});
  const tags = { title: 'Brücken', date: '2019' };
  const options = { clip: { start: 1.5, end: 10 }, audioLanguage: 'de', subtitleLanguages: ['en', 'de'], tags };
  expect(optionParameters(options)).toEqual({
    clip: '1.5-10',
    audioLanguage: 'de',
    subtitleLanguages: 'en,de',
    tagTitle: 'Brücken',
    tagDate: '2019',
  });
  expect(optionParameters({ clip: { start: 5 } })).toEqual({ clip: '5-' });
});

test('an option can be removed', () => {
  expect(withoutOption({ clip: { start: 1 }, audioLanguage: 'de' }, 'clip')).toEqual({ audioLanguage: 'de' });
});

test('a clip keeps a share of the item', () => {
  expect(clipShare(undefined, 30)).toBe(1);
  expect(clipShare({ start: 15 }, 30)).toBe(0.5);
  expect(clipShare({ start: 6, end: 12 }, 30)).toBeCloseTo(0.2);
  expect(clipShare({ start: 0, end: 60 }, 30)).toBe(1);
  expect(clipShare({ start: 5, end: 10 }, 0)).toBe(1);
});
