import { expect, test } from 'vitest';
import { parseLink } from '../command-line/link-argument.ts';
import { formatsFor, isQuality } from './quality.ts';

const p1 = parseLink('https://www.youtube.com/watch?v=lab-plain30');
const p2 = parseLink('https://www.instagram.com/p/lab-reel-30/');
const p4 = parseLink('https://www.tiktok.com/@thelab/video/7559142440960000001');
const p5 = parseLink('https://www.dailymotion.com/video/xlab30');

test.each([
  ['p1', p1, 'best', ['highres']],
  ['p1', p1, 'worst', ['lowres']],
  ['p1', p1, 'audio', []],
  ['p1', p1, '720p', ['720p', '720p60']],
  ['p1', p1, '720', ['720p', '720p60']],
  ['p1', p1, '1080p60', ['1080p60', '1080p']],
  ['p1', p1, '1080p60 HDR', ['1080p60 HDR']],
  ['p2', p2, '720p60', ['720p']],
  ['p2', p2, 'native_hd', []],
  ['p2', p2, '2160p', []],
  ['p4', p4, 'best', ['highres']],
  ['p4', p4, 'slideshow', ['slideshow']],
  ['p5', p5, '720p', ['720']],
  ['p5', p5, 'hls-480', ['480']],
  ['p1', p1, 'slideshow', ['slideshow']],
  ['p1', p1, 'nope', []],
  ['p1', p1, '22', []],
  ['p5', p5, 'nope', []],
])('formatsFor %s (case %#) and quality %s returns the formats to request', (_, link, quality, formats) => {
  expect(formatsFor(link, quality)).toEqual(formats);
});

test.each([
  ['720p', '720p', true],
  ['720p60', '720p', true],
  ['720p', '720', true],
  ['hls-720', '720p', true],
  ['native_hd', 'NATIVE_HD', true],
  ['1080p', '720p', false],
  ['720p', '720p60', false],
])('label %s matches %s: %s', (label, quality, is) => {
  expect(isQuality(label, quality)).toBe(is);
});
