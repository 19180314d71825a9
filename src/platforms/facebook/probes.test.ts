import { expect, it } from 'vitest';
import { createFacebook } from './index.ts';
import { probes } from './probes.ts';

const { endpoints } = createFacebook();

it('has a probe of each endpoint, and one of its media', () => {
  expect(new Set(probes.map(({ endpoint }) => endpoint))).toEqual(new Set(endpoints.map(({ path }) => path)));
  expect(probes.filter(({ media }) => media === true).map(({ endpoint }) => endpoint)).toEqual(['/post/details']);
  expect(new Set(probes.map(({ name }) => name)).size).toBe(probes.length);
});

it.each(probes)('has valid parameters in $name', ({ endpoint, parameters }) => {
  const properties = endpoints.find(({ path }) => path === endpoint)?.parameters.properties;
  expect(Object.keys(properties ?? {})).toEqual(expect.arrayContaining(Object.keys(parameters)));
});
