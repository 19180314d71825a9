import { expect, test } from 'vitest';
import { checkExtension, extensionWishOf } from './extension-wish.ts';

test.each([
  ['x.mp3', { kind: 'audio', extension: 'mp3', audioFormat: 'mp3' }],
  ['music/x.OPUS', { kind: 'audio', extension: 'opus', audioFormat: 'opus' }],
  ['{title}.flac', { kind: 'audio', extension: 'flac', audioFormat: 'flac' }],
  ['x.ogg', { kind: 'audio', extension: 'ogg' }],
  ['x.webm', { kind: 'video', extension: 'webm' }],
  ['x.jpeg', { kind: 'image', extension: 'jpeg' }],
  ['{title}.{ext}', undefined],
  ['folder.mp3/', undefined],
  ['x.part', undefined],
  ['-', undefined],
  [undefined, undefined],
])('--output %s requests %j', (output, wish) => {
  expect(extensionWishOf(output)).toEqual(wish);
});

test('a file with another extension is refused with the name to use', () => {
  const wish = extensionWishOf('films/x.webm');
  expect(() => checkExtension(wish, 'films/x.webm', 'mp4')).toThrow(
    'This file would be MP4, not WEBM. Use --output films/x.mp4, or select another quality from --list.',
  );
  expect(() => checkExtension(wish, 'films/x.webm', 'webm')).not.toThrow();
  expect(() => checkExtension(extensionWishOf('x.jpeg'), 'x.jpeg', 'jpg')).not.toThrow();
  expect(() => checkExtension(undefined, 'x', 'mp4')).not.toThrow();
});
