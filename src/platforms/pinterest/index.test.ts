import { Check } from 'typebox/value';
import { expect, it } from 'vitest';
import { createPlatforms, defaultSettings } from '../index.ts';
import { createPinterest } from './index.ts';
import { defaultSite } from './site.ts';

const pinterest = createPinterest(defaultSite);

it('the platform is registered as p6', () => {
  const platforms = createPlatforms(defaultSettings);
  expect(platforms.map(({ id }) => id)).toContain('p6');
  expect(pinterest.endpoints.map(({ path }) => path)).toEqual(['/pin/details']);
});

it.each([
  [{ pinId: '31454897393552949' }, true],
  [{ pinId: '31454897393552949', countryCode: 'FR' }, true],
  [{ pinId: 'https://pin.it/4AbCdEf' }, true],
  [{}, false],
  [{ pinId: 'See pinterest.com/pin/31454897393552949/' }, true],
  [{ pinId: `https://pin.it/${'a'.repeat(3000)}` }, false],
  [{ pinId: '31454897393552949', countryCode: 'QQ' }, false],
])('validates the parameters %j', (parameters, valid) => {
  const [endpoint] = pinterest.endpoints;
  expect(endpoint && Check(endpoint.parameters, parameters)).toBe(valid);
});
