import { expect, it } from 'vitest';
import { codecFamilies } from './codec-families.ts';

it.each([
  [['mp4a.40.2', 'avc1.64001f'], { video: 'h264', audio: 'aac' }],
  [['avc1.42000c', 'mp4a.40.5'], { video: 'h264', audio: 'aac' }],
  [['av01.0.08M.08'], { video: 'av1' }],
  [['vp09.00.51.08', 'opus'], { video: 'vp9', audio: 'opus' }],
  [['hvc1.1.6.L93', 'ec-3'], { video: 'hevc', audio: 'eac3' }],
  [['mp4a.6B'], { audio: 'mp3' }],
  [['mp4a.A6'], { audio: 'eac3' }],
  [['stpp.ttml.im1t', 'unknown'], {}],
  [[], {}],
])('maps codec strings %j to %j', (codecs, families) => {
  expect(codecFamilies(codecs)).toEqual(families);
});
