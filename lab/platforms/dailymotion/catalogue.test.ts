import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findByNumber, findVideo, isAllowedIn, scenarios } from './catalogue.ts';
import { variant, variantBySuffix } from './variants.ts';

const wellFormed = fc.stringMatching(/^x[1-9a-z][0-9a-z]{0,12}$/).filter((id) => !id.startsWith('xnotfound'));

test('a well-formed ID always returns the same video', () => {
  fc.assert(
    fc.property(wellFormed, (id) => {
      const video = findVideo(id);
      expect(video?.id).toBe(id);
      expect(findVideo(id)).toEqual(video);
      expect(findVideo(video?.accessId ?? '')).toEqual(video);
      expect(findByNumber(`${video?.number}`)).toEqual(video);
    }),
    { seed: 1 },
  );
});

test('numbers in paths are IDs in base 36', () => {
  expect(findVideo('x96ndxe')?.number).toBe(555_364_418n);
});

test('any other ID is unknown', () => {
  for (const id of [
    '',
    'x',
    'xnotfound',
    'xnotfound7',
    'XLAB30',
    'x0abc',
    'k123',
    'kLab',
    'xthisidismuchtoolong',
    'x-1',
  ]) {
    expect(findVideo(id)).toBeUndefined();
  }
});

test('every documented ID is well-formed and has its own scenario', () => {
  for (const [id, { about }] of Object.entries(scenarios)) expect(findVideo(id)?.about).toBe(about);
  expect(Object.keys(scenarios).filter((id) => /^xlabdm\d{3}$/.test(id))).toHaveLength(19);
});

test('a video is allowed in some countries, denied in some, or allowed everywhere', () => {
  const allowed = (id: string) => ['US', 'FR', 'DE'].map((country) => isAllowedIn(findVideo(id) ?? never(id), country));
  expect(allowed('xlab30')).toEqual([true, true, true]);
  expect(allowed('xlabgeofr')).toEqual([false, true, false]);
  expect(allowed('xlabgeous')).toEqual([false, true, true]);
});

test('a variant is found by its suffix', () => {
  for (const name of ['240', '380', '480', '720', '720@60', '1080'] as const) {
    expect(variantBySuffix(variant(name).suffix)).toEqual(variant(name));
  }
});

function never(id: string): never {
  throw new Error(`There is no ${id}.`);
}
