import { expect, test } from 'vitest';
import type { Quality } from '../qualities/qualities.ts';

Object.assign(globalThis, { location: { href: 'https://page.example/', origin: 'https://page.example', search: '' } });
const { chooseVideo } = await import('./find-files.ts');

const quality = (label: string, kind: 'video' | 'audio' = 'video', reason?: string) =>
  ({ label, kind, delivery: reason === undefined ? { by: 'request' } : { by: 'none', reason } }) as Quality;
const qualities = [
  quality('2160p', 'video', 'It is too large.'),
  quality('1080p60'),
  quality('720p60'),
  quality('480p'),
  quality('128kbps', 'audio'),
];

test('the best video is the largest that can be downloaded', () => {
  expect(chooseVideo(qualities, 'best')?.label).toBe('1080p60');
  expect(chooseVideo([quality('128kbps', 'audio')], 'best')).toBeUndefined();
});

test('a 720p video is the largest of at most 720 lines, or else the smallest', () => {
  expect(chooseVideo(qualities, '720p')?.label).toBe('720p60');
  expect(chooseVideo([quality('2160p'), quality('1080p')], '720p')?.label).toBe('1080p');
  expect(chooseVideo([quality('native_hd')], '720p')?.label).toBe('native_hd');
});
