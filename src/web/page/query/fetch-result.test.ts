import { expect, test } from 'vitest';
import { recogniseLink } from '#client/index.ts';

Object.assign(globalThis, { location: new URL('https://page.example/') });
const { canRequestQuality } = await import('./fetch-result.ts');

test.each([
  ['https://youtu.be/dQw4w9WgXcQ', '1080p60 HDR', true],
  ['https://www.instagram.com/p/C1abcdefghi/', '720p', true],
  ['https://www.instagram.com/p/C1abcdefghi/', '1350p', false],
  ['https://www.dailymotion.com/video/x8abcde', 'hls-720', true],
  ['https://www.tiktok.com/@a/video/7559142440960000001', '720p', false],
])('canRequestQuality for %s and the quality %s returns %s', (text, label, expected) => {
  const link = recogniseLink(text);
  expect(link !== undefined && canRequestQuality(link, label)).toBe(expected);
});
