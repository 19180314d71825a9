import { expect, test } from 'vitest';
import { addressOf, interpretationsOf, readQuery } from './query.ts';

const endpointsFor = (text: string) =>
  interpretationsOf(text).map(({ platform, endpoint }) => `${platform}/${endpoint}`);

test('a link has one meaning, an ID can have several, and words are a search', () => {
  expect(endpointsFor('https://youtu.be/dQw4w9WgXcQ')).toEqual(['p1/video/details']);
  expect(endpointsFor('dQw4w9WgXcQ')).toEqual(['p1/video/details', 'p2/media/post/details']);
  expect(endpointsFor('@name')).toEqual(['p1/channel/id-from-handle', 'p4/user/details', 'p2/user/profile/details']);
  expect(endpointsFor('  old bridges ')).toEqual(['p1/search']);
  expect(interpretationsOf('  old bridges ')[0]?.parameters).toEqual({ query: 'old bridges' });
});

test.each(['', '   ', 'https://example.com/video', 'example.com/watch?v=1'])('"%s" has no meaning', (text) => {
  expect(interpretationsOf(text)).toEqual([]);
  expect(readQuery(`?${new URLSearchParams({ q: text })}`)).toBeUndefined();
});

test('a query survives the round trip through an address', () => {
  for (const text of ['https://youtu.be/dQw4w9WgXcQ', 'a & b = c?', '#橋', 'dQw4w9WgXcQ', '@name']) {
    for (const link of interpretationsOf(text)) expect(readQuery(addressOf({ text, link }))).toEqual({ text, link });
  }
  expect(
    addressOf({ text: 'dQw4w9WgXcQ', link: { platform: 'p2', endpoint: 'media/post/details', parameters: {} } }),
  ).toBe('?q=dQw4w9WgXcQ&as=p2');
});

test('a platform that does not match the text is ignored', () => {
  expect(readQuery('?q=dQw4w9WgXcQ&as=p6')?.link.platform).toBe('p1');
  expect(readQuery('')).toBeUndefined();
});
