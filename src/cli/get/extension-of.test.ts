import { expect, test } from 'vitest';
import { extensionOf } from './extension-of.ts';

test.each([
  ['audio/mpeg', 'mp3'],
  ['audio/mp4; codecs="mp4a.40.2"', 'm4a'],
  ['audio/ogg; codecs="opus"', 'opus'],
  ['audio/ogg; codecs="vorbis"', 'ogg'],
  ['audio/ogg', 'ogg'],
  ['audio/flac', 'flac'],
  ['audio/wav', 'wav'],
  ['video/mp4', 'mp4'],
  ['video/webm', 'webm'],
  ['video/quicktime', 'mov'],
  ['image/png', 'png'],
  ['x/unknown', undefined],
])('the extension of %s is %s', (type, ext) => {
  expect(extensionOf(type)).toBe(ext);
});
