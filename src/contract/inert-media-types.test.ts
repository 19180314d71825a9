import { mime } from '@fastify/send';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outputContainers } from './containers.ts';
import { extensionOf, inertTypeOf, isPassiveType, opaqueType } from './inert-media-types.ts';

test.each(Object.entries(outputContainers))(
  'a file of the container %s has the type of the contract',
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
])('a file whose name ends in "%s" is bytes', (ext) => {
  expect(inertTypeOf(`a.${ext}`)).toBe(opaqueType);
  expect(inertTypeOf(`film.mp4.${ext}`)).toBe(opaqueType);
});

test('no type that anything is known to run or render as a document is passive', () => {
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

test('a name has a passive type, or is bytes; a type that has an extension is found by it', () => {
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
