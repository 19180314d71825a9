import { expect, test } from 'vitest';
import { linkPaths, pathOf, renderPaths } from './paths.ts';
import type { Route } from './route.ts';
import { linkRoutes, renderRoutes } from './routes.ts';

const routes: Readonly<Record<string, Route>> = { ...renderRoutes, ...linkRoutes };

test.each(Object.entries(routes))('%s takes its method and path from the table of paths', (id, { method, path }) => {
  expect({ ...renderPaths, ...linkPaths }).toHaveProperty(id, { method, path });
});

test.each(Object.entries(routes))('%s describes its path parameters', (_, { path, parameters }) => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  expect(Object.keys(parameters?.schema.properties ?? {})).toEqual(names);
  expect(parameters?.schema.required ?? []).toEqual(names);
});

test('no two routes have the same method and path', () => {
  const calls = Object.values(routes).map(({ method, path }) => `${method} ${path}`);
  expect(new Set(calls).size).toBe(calls.length);
});

test('pathOf encodes the values that it inserts', () => {
  expect(pathOf(renderPaths.readDeliveries, { jobId: 'a/b?c' })).toBe('/api/v1/render/jobs/a%2Fb%3Fc/deliveries');
  expect(pathOf(renderPaths.startJob, {})).toBe('/api/v1/render/execute');
});
