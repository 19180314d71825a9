import { expect, test } from 'vitest';
import { checkRooms } from './check-rooms.ts';
import type { Rooms } from './layers.ts';

/** Checks imports that are written as `from > to`, both below `src/`. */
function check(rooms: Rooms, ...imports: readonly string[]) {
  const parsed = imports.map((line) => {
    const [from = '', to = ''] = line.split(' > ').map((path) => (path.startsWith('packages/') ? path : `src/${path}`));
    return { from, to };
  });
  return checkRooms(parsed, rooms);
}

const rooms: Rooms = { base: [], 'top/inner': ['base'], top: ['base', 'top/inner'], 'main.ts': ['top/start.ts'] };
const allowed = [
  'top/inner/a.ts > base/b.ts',
  'top/a.ts > base/b.ts',
  'top/a.ts > top/inner/a.ts',
  'top/a.ts > top/b.ts',
  'main.ts > top/start.ts',
];

test('allows imports within a room and of what its list names', () => {
  expect(check(rooms, ...allowed)).toEqual([]);
});

test.each([
  ['a room that stands above', 'base/b.ts > top/a.ts', 'base'],
  ['the room around its own', 'top/inner/a.ts > top/a.ts', 'top/inner'],
  ['another part of a room than the list names', 'main.ts > top/a.ts', 'main.ts'],
  ['a room inside the one that the list names a part of', 'main.ts > top/inner/a.ts', 'main.ts'],
])('reports an import of %s', (_name, line, importer) => {
  const [from, to] = line.split(' > ');
  expect(check(rooms, ...allowed, line)).toEqual([
    `src/${from} imports src/${to}, but scripts/layers/layers.ts does not let ${importer} import it`,
  ]);
});

test('reports a file outside of every room', () => {
  expect(check({ base: [] }, 'base/a.ts > base/b.ts', 'new/a.ts > base/b.ts', 'base/a.ts > ../test/c.ts')).toEqual([
    'src/new/a.ts is in no room of scripts/layers/layers.ts',
    'src/base/a.ts imports src/../test/c.ts, which is in no room of scripts/layers/layers.ts',
  ]);
});

test.each<[name: string, rooms: Rooms, fault: string]>([
  ['a room that stands above', { ...rooms, base: ['top'] }, 'base lists top, which stands above it'],
  ['the room itself', { ...rooms, base: ['base'] }, 'base lists base, which stands above it'],
  ['no room', { ...rooms, base: ['bottom'] }, 'base lists bottom, which is in no room'],
  [
    'a room that is not imported',
    { ...rooms, 'main.ts': ['base', 'top/start.ts'] },
    'main.ts lists base but imports nothing from it',
  ],
])('reports a list that names %s', (_name, table, fault) => {
  expect(check(table, ...allowed)).toEqual([`scripts/layers/layers.ts: ${fault}`]);
});

test('reports a room that no file is in', () => {
  expect(check({ ...rooms, gone: [] }, ...allowed)).toEqual([
    'scripts/layers/layers.ts has a room gone, which is empty or has no imports',
  ]);
});

test('counts a package as a room', () => {
  const client = { base: [], 'packages/client': ['base'] };
  expect(check(client, 'packages/client/src/a.ts > base/b.ts')).toEqual([]);
  expect(check(client, 'packages/client/src/a.ts > base/b.ts', 'base/b.ts > packages/client/src/a.ts')).toHaveLength(1);
});
