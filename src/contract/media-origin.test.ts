import { expect, test } from 'vitest';
import { itemKeyOf } from './media-origin.ts';

const keyOf = (parameters: Readonly<Record<string, string | undefined>>) =>
  itemKeyOf({ platform: 'p1', endpoint: '/video/details', parameters });

test('the key of an item is the same in each language, and with a transcript', () => {
  const key = keyOf({ videoId: 'a' });
  expect(keyOf({ lang: 'de', videoId: 'a', getTranscript: 'true', transcriptLanguage: 'fr' })).toBe(key);
  expect(keyOf({ videoId: 'a', countryCode: undefined })).toBe(key);
});

test('the key of an item differs for other items and countries', () => {
  const keys = [{ videoId: 'a' }, { videoId: 'b' }, { videoId: 'a', countryCode: 'FR' }].map(keyOf);
  expect(new Set(keys).size).toBe(3);
});

test('the key of an item is what its platform reads, however the parameters are written', () => {
  const key = (url: string, item: string) =>
    itemKeyOf({ platform: 'p1', endpoint: '/video/details', parameters: { url }, item });
  expect(key('https://a.example/?v=a&n=1', 'a')).toBe(key('https://a.example/?v=a&n=2', 'a'));
  expect(key('https://a.example/?v=a', 'a')).not.toBe(key('https://a.example/?v=a', 'b'));
});
