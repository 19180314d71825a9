import { expect, test } from 'vitest';
import { addressOf, interpretationsOf, queryOf, readQuery, unknownHostIn, unknownLinksIn } from './query.ts';

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

test.each([
  ['?url=https%3A%2F%2Fyoutu.be%2FdQw4w9WgXcQ', 'https://youtu.be/dQw4w9WgXcQ'],
  ['?title=A+film&text=Look%3A+https%3A%2F%2Fyoutu.be%2FdQw4w9WgXcQ+wow', 'https://youtu.be/dQw4w9WgXcQ'],
  ['?title=A+film&text=&url=dQw4w9WgXcQ', 'dQw4w9WgXcQ'],
  ['?text=+old+bridges+', 'old bridges'],
  ['?q=%40name&url=https%3A%2F%2Fyoutu.be%2FdQw4w9WgXcQ', '@name'],
])('another app shares a link or a text: %s', (search, text) => {
  expect(readQuery(search)?.text).toBe(text);
});

const several =
  'Look: https://youtu.be/dQw4w9WgXcQ, https://youtu.be/dQw4w9WgXcQ\nhttps://example.com/x tiktok.com/@name/video/7106594312292453675';

test('a text with several links is a list of its different targets', () => {
  const query = queryOf(several);
  expect(query?.links?.map(({ link }) => link.platform)).toEqual(['p1', 'p4']);
  expect(query?.link).toEqual(query?.links?.[0]?.link);
  expect(unknownLinksIn(query?.text ?? '')).toEqual(['https://example.com/x']);
  expect(queryOf('https://youtu.be/dQw4w9WgXcQ https://example.com/x')?.links).toBeUndefined();
});

test('a list of links survives the round trip through an address, in its fragment', () => {
  const query = queryOf(several);
  if (query === undefined) throw new Error('no query');
  expect(addressOf(query)).toMatch(/^#q=/);
  expect(readQuery(addressOf(query))).toEqual(query);
});

test('the number of links is bounded', () => {
  const text = Array.from({ length: 300 }, (_, index) => `youtu.be/dQw4w9W${String(index).padStart(4, '0')}`).join(' ');
  expect(queryOf(text)?.links?.length).toBe(200);
});

test('a country survives the round trip, and a text that is no country is ignored', () => {
  const query = readQuery('?q=dQw4w9WgXcQ&country=fr');
  expect(query?.country).toBe('FR');
  expect(query && addressOf(query)).toBe('?q=dQw4w9WgXcQ&country=FR');
  expect(readQuery('?q=dQw4w9WgXcQ&country=XX')).not.toHaveProperty('country');
});

test.each([
  ['https://vimeo.com/1', 'vimeo.com'],
  ['www.vimeo.com/1', 'vimeo.com'],
  ['look at this: https://vimeo.com/1', 'vimeo.com'],
  ['https://youtube.com/', 'youtube.com'],
  ['ftp://[broken', 'ftp://[broken'],
  ['https://youtu.be/dQw4w9WgXcQ', undefined],
  ['old bridges', undefined],
  ['lab-removed', undefined],
  ['', undefined],
])('the host of the unknown link "%s" is %s', (text, host) => {
  expect(unknownHostIn(text)).toBe(host);
});
