import { expect, test } from 'vitest';
import { checkLayers } from './check-layer-imports.ts';
import type { Layers } from './layers.ts';

/** Checks imports that are written as `from > to`, both below `src/`. */
function check(layers: Layers, ...imports: readonly string[]) {
  const parsed = imports.map((line) => {
    const [from = '', to = ''] = line.split(' > ').map((path) => (path.startsWith('packages/') ? path : `src/${path}`));
    return { from, to };
  });
  return checkLayers(parsed, layers);
}

const layers: Layers = { base: [], 'top/inner': ['base'], top: ['base', 'top/inner'], 'main.ts': ['top/start.ts'] };
const allowed = [
  'top/inner/a.ts > base/b.ts',
  'top/a.ts > base/b.ts',
  'top/a.ts > top/inner/a.ts',
  'top/a.ts > top/b.ts',
  'main.ts > top/start.ts',
];

test('allows imports within a layer and from the layers in its list', () => {
  expect(check(layers, ...allowed)).toEqual([]);
});

test.each([
  ['a higher layer', 'base/b.ts > top/a.ts', 'base'],
  ['the layer around its own', 'top/inner/a.ts > top/a.ts', 'top/inner'],
  ['another part of a layer than the list names', 'main.ts > top/a.ts', 'main.ts'],
  ['a layer inside the one that the list names a part of', 'main.ts > top/inner/a.ts', 'main.ts'],
])('reports an import of %s', (_name, line, importer) => {
  const [from, to] = line.split(' > ');
  expect(check(layers, ...allowed, line)).toEqual([
    `src/${from} imports src/${to}, but scripts/layers/layers.ts does not let ${importer} import it`,
  ]);
});

test('reports a file outside every layer', () => {
  expect(check({ base: [] }, 'base/a.ts > base/b.ts', 'new/a.ts > base/b.ts', 'base/a.ts > ../test/c.ts')).toEqual([
    'src/new/a.ts is in no layer of scripts/layers/layers.ts',
    'src/base/a.ts imports src/../test/c.ts, which is in no layer of scripts/layers/layers.ts',
  ]);
});

test.each<[name: string, layers: Layers, fault: string]>([
  ['a higher layer', { ...layers, base: ['top'] }, 'base lists top, which is not below it'],
  ['the layer itself', { ...layers, base: ['base'] }, 'base lists base, which is not below it'],
  ['no layer', { ...layers, base: ['bottom'] }, 'base lists bottom, which is in no layer'],
  [
    'a layer that is not imported',
    { ...layers, 'main.ts': ['base', 'top/start.ts'] },
    'main.ts lists base but imports nothing from it',
  ],
])('reports a list that names %s', (_name, table, fault) => {
  expect(check(table, ...allowed)).toEqual([`scripts/layers/layers.ts: ${fault}`]);
});

test('reports a layer without files', () => {
  expect(check({ ...layers, gone: [] }, ...allowed)).toEqual([
    'scripts/layers/layers.ts has a layer gone, which is empty or has no imports',
  ]);
});

test('counts a package as a layer', () => {
  const client = { base: [], 'packages/client': ['base'] };
  expect(check(client, 'packages/client/src/a.ts > base/b.ts')).toEqual([]);
  expect(check(client, 'packages/client/src/a.ts > base/b.ts', 'base/b.ts > packages/client/src/a.ts')).toHaveLength(1);
});
