import { expect, it } from 'vitest';
import { createYoutube } from './index.ts';
import { probes } from './probes.ts';

const { endpoints } = createYoutube();

it('every endpoint has a probe', () => {
  const paths = new Set(probes.map(({ endpoint }) => endpoint));
  expect([...paths].toSorted()).toEqual(endpoints.map(({ path }) => path).toSorted());
});

it.each(probes.map((probe) => [probe.name, probe] as const))('the probe %s is valid', (name, probe) => {
  expect(probes.filter((other) => other.name === name)).toHaveLength(1);
  const endpoint = endpoints.find(({ path }) => path === probe.endpoint);
  const { properties = {}, required = [] } = endpoint?.parameters ?? {};
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(probe.parameters)));
  expect(Object.keys(probe.parameters)).toEqual(expect.arrayContaining([...required]));
  expect(probe.expects.length).toBeGreaterThan(0);
  if (probe.pages !== undefined) expect(properties).toHaveProperty('nextToken');
  if (probe.media === true) expect(endpoint?.contents).toBe(true);
});
