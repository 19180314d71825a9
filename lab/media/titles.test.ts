import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mediaFile } from './recipes.ts';
import { nextTitle, parseRendition, parseTitle, parseTrack, titleFor } from './titles.ts';

test("a title's name consists of a look and a number of seconds", () => {
  expect(parseTitle('amber-30')).toEqual({ name: 'amber-30', look: 'amber', seconds: 30 });
  expect(parseTitle('giant-2100')).toMatchObject({ seconds: 2100 });
  for (const name of ['amber-1', 'amber-1501', 'amber-030', 'amber', 'nobody-30', 'toString-30', 'constructor-30']) {
    expect(parseTitle(name)).toBeUndefined();
  }
});

test("a rendition's name consists of a height, and a frame rate unless it is 25", () => {
  expect(parseRendition('720')).toEqual({ name: '720', width: 1280, height: 720, rate: 25 });
  expect(parseRendition('720p60')).toMatchObject({ height: 720, rate: 60 });
  for (const name of ['721', '720p50', '0720', '', 'p60']) expect(parseRendition(name)).toBeUndefined();
});

test('a track is a rendition with audio, a rendition without audio, or audio only', () => {
  expect(parseTrack('720')).toMatchObject({ name: '720', video: { height: 720 }, audio: true });
  expect(parseTrack('video-720p60')).toMatchObject({ name: 'video-720p60', video: { rate: 60 }, audio: false });
  expect(parseTrack('audio')).toEqual({ name: 'audio', audio: true });
  for (const name of ['video', 'video-', 'audio-720', 'video-video-720', 'master.m3u8', '']) {
    expect(parseTrack(name)).toBeUndefined();
  }
});

test('the next title has a different look and the same length', () => {
  for (const look of ['amber', 'slate']) {
    const title = parseTitle(`${look}-30`);
    const next = title && nextTitle(title);
    expect(next).toEqual(parseTitle(next?.name ?? ''));
    expect(next?.seconds).toBe(30);
    expect(next?.look).not.toBe(look);
  }
});

test('an ID always maps to the same existing title', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 2, max: 600 }), (id, seconds) => {
      const title = titleFor(id, seconds);
      expect(titleFor(id, seconds)).toEqual(title);
      expect(parseTitle(title.name)).toEqual(title);
    }),
    { seed: 1 },
  );
});

test('any file name maps to a plain name in the cache or to nothing', () => {
  const name = fc.oneof(fc.string(), fc.stringMatching(/^[a-z]{1,6}-?[0-9p]{0,6}\.[a-z0-9]{1,4}$/));
  fc.assert(
    fc.property(name, (text) => {
      const recipe = mediaFile(titleFor('x', 2), text)?.recipe;
      if (recipe !== undefined) expect(recipe.name).toMatch(/^[a-z]+[\w.-]*$/);
    }),
    { seed: 1 },
  );
});
