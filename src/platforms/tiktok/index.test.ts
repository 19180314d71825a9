import { Check } from 'typebox/value';
import { expect, it } from 'vitest';
import { createPlatforms, defaultSettings } from '../index.ts';
import { createTiktok } from './index.ts';

it('the platform is registered as p4', () => {
  const platforms = createPlatforms(defaultSettings);
  const tiktok = platforms.find(({ id }) => id === 'p4');
  expect(tiktok?.endpoints.map(({ path, credits, contents }) => [path, credits, contents])).toEqual([
    ['/post/details', 1, true],
    ['/user/details', 1, false],
  ]);
});

it('the platform offers audio, videos by their label, and slideshows', () => {
  const [post, user] = createTiktok().endpoints;
  expect(post?.renderables?.audio).toBe(true);
  expect(post?.renderables?.matches('1080p', '1080p')).toBe(true);
  expect(post?.renderables?.severalImages).toBe(true);
  expect(user?.renderables).toBeUndefined();
});

it.each([
  [{ url: 'https://www.tiktok.com/@name' }, true],
  [{}, false],
  [{ url: 'a'.repeat(5_001) }, false],
])('validates the parameters %j', (parameters, valid) => {
  for (const endpoint of createTiktok().endpoints) expect(Check(endpoint.parameters, parameters)).toBe(valid);
});
