import { Check } from 'typebox/value';
import { expect, it } from 'vitest';
import { createPlatforms, defaultSettings } from '../index.ts';
import { createDailymotion } from './index.ts';

const dailymotion = createDailymotion();
const [endpoint] = dailymotion.endpoints;

it('the platform is registered as p5', () => {
  const platforms = createPlatforms(defaultSettings);
  expect(platforms.find(({ id }) => id === 'p5')?.endpoints.map(({ path }) => path)).toEqual([endpoint?.path]);
});

it.each([
  [{ videoId: 'x96ndxe' }, true],
  [{ videoId: 'k1qHMhAd8SkWeABAfEC', countryCode: 'FR', renderableFormats: ['380', 'hls-720', 'all_highres'] }, true],
  [{}, false],
  [{ videoId: 'https://dai.ly/x96ndxe' }, true],
  [{ videoId: 'x'.repeat(2001) }, false],
  [{ videoId: ['x96ndxe'] }, false],
  [{ videoId: 'x96ndxe', countryCode: 'QQ' }, false],
  [{ videoId: 'x96ndxe', renderableFormats: ['720p'] }, false],
  [{ videoId: 'x96ndxe', renderableFormats: ['5'] }, false],
])('validates the parameters %j', (parameters, valid) => {
  expect(endpoint && Check(endpoint.parameters, parameters)).toBe(valid);
});

it.each([
  ['hls-720', '720', true],
  ['hls-720', 'hls-720', true],
  ['http-480', '480', true],
  ['hls-720', '72', false],
  ['hls-1080', '720', false],
])('matches label %s against format %s', (label, format, matches) => {
  expect(endpoint?.renderables?.matches(label, format)).toBe(matches);
});
