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
  ['image/jpeg', 'jpeg'],
  ['application/mp4', 'mp4'],
  ['x/unknown', undefined],
  ['image/svg+xml', undefined],
  ['text/html', undefined],
  ['application/x-msdownload', undefined],
  ['application/x-sh', undefined],
  ['application/java-archive', undefined],
  ['application/x-perl; codecs="mp4"', undefined],
])('the extension of %s is %s', (type, ext) => {
  expect(extensionOf(type)).toBe(ext);
});
