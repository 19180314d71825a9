import { mime } from '@fastify/send';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outputContainers } from './containers.ts';
import { extensionOf, inertTypeOf, isPassiveType, opaqueType } from './inert-media-types.ts';

test.each(Object.entries(outputContainers))(
  'a file in the container %s has the media type of the contract',
  (ext, { mimeType }) => {
    expect(inertTypeOf(`a film.${ext}`)).toBe(mimeType);
    expect(inertTypeOf(`A FILM.${ext.toUpperCase()}`)).toBe(mimeType);
  },
);

test.each([
  'js',
  'mjs',
  'cjs',
  'html',
  'htm',
  'xhtml',
  'xht',
  'svg',
  'svgz',
  'xml',
  'xsl',
  'mml',
  'css',
  'wasm',
  'pdf',
  'swf',
  'json',
  'm3u8',
  'mpd',
  'smil',
  'txt',
  'srt',
  'mht',
  'hta',
  'exe',
  'bat',
  'zip',
  'jar',
  '',
  'constructor',
  '__proto__',
  'mp4 ',
])('a file with the extension "%s" is sent as application/octet-stream', (ext) => {
  expect(inertTypeOf(`a.${ext}`)).toBe(opaqueType);
  expect(inertTypeOf(`film.mp4.${ext}`)).toBe(opaqueType);
});

test('no type that browsers run or render as a document is passive', () => {
  const activeExtensions = [
    'js',
    'html',
    'xhtml',
    'svg',
    'xml',
    'css',
    'wasm',
    'pdf',
    'swf',
    'json',
    'm3u8',
    'mpd',
    'xsl',
    'rdf',
  ];
  for (const ext of activeExtensions) expect(isPassiveType(mime.getType(ext) ?? '')).toBe(false);
});

test('every file name gets a passive type or the opaque one, and every passive type can be looked up by its extension', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const type = inertTypeOf(name);
      if (type === opaqueType) return;
      expect(isPassiveType(type)).toBe(true);
      expect(inertTypeOf(`a.${extensionOf(type)}`)).toBe(type);
      expect(type).not.toMatch(/xml|html|script|json/);
    }),
    { seed: 15 },
  );
});
