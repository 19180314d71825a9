import { expect, test } from 'vitest';
import { addressOf, meaningsOf, readQuestion } from './question.ts';

const meant = (text: string) => meaningsOf(text).map(({ platform, endpoint }) => `${platform}/${endpoint}`);

test('a link means one thing, an id what it may be, words a search', () => {
  expect(meant('https://youtu.be/dQw4w9WgXcQ')).toEqual(['p1/video/details']);
  expect(meant('dQw4w9WgXcQ')).toEqual(['p1/video/details', 'p2/media/post/details']);
  expect(meant('  old bridges ')).toEqual(['p1/search']);
  expect(meaningsOf('  old bridges ')[0]?.parameters).toEqual({ query: 'old bridges' });
});

test.each(['', '   ', 'https://example.com/video', 'example.com/watch?v=1'])('"%s" means nothing', (text) => {
  expect(meaningsOf(text)).toEqual([]);
  expect(readQuestion(`?${new URLSearchParams({ q: text })}`)).toBeUndefined();
});

test('a question is the same after a way through the address', () => {
  for (const text of ['https://youtu.be/dQw4w9WgXcQ', 'a & b = c?', '#橋', 'dQw4w9WgXcQ']) {
    for (const link of meaningsOf(text)) expect(readQuestion(addressOf({ text, link }))).toEqual({ text, link });
  }
  expect(
    addressOf({ text: 'dQw4w9WgXcQ', link: { platform: 'p2', endpoint: 'media/post/details', parameters: {} } }),
  ).toBe('?q=dQw4w9WgXcQ&as=p2');
});

test('a platform that the text cannot be of is passed over', () => {
  expect(readQuestion('?q=dQw4w9WgXcQ&as=p6')?.link.platform).toBe('p1');
  expect(readQuestion('')).toBeUndefined();
});
