import { expect, it } from 'vitest';
import { expiryText, mediaUrl } from './media-links.ts';

it.each([
  ['https://v16.example/a/?expire=1784355633&l=1', '2026-07-18T06:20:33.000Z'],
  ['https://p16.example/a.jpeg?x-expires=1784354400', '2026-07-18T06:00:00.000Z'],
  [`https://v77.example/${'0'.repeat(32)}/6a58cc91/video/a/`, '2026-07-16T12:20:33.000Z'],
  ['https://v77.example/6a58cc91/video/a/', undefined],
  ['https://v16.example/a/?expire=soon', undefined],
  ['https://v16.example/a/?expire=99999999999999', undefined],
  ['no link', undefined],
])('%s expires at %s', (link, time) => {
  expect(expiryText(link)).toBe(time);
});

it('accepts links without a scheme and rejects all other texts', () => {
  expect(mediaUrl('//a.example/b')).toBe('https://a.example/b');
  expect([mediaUrl(''), mediaUrl('a'), mediaUrl(5), mediaUrl('data:,a')]).toEqual(Array(4).fill(undefined));
});
