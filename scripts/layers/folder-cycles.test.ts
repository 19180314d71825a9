import { expect, test } from 'vitest';
import { findFolderCycles } from './folder-cycles.ts';

const circles = (...imports: readonly (readonly [from: string, to: string])[]) =>
  findFolderCycles(imports.map(([from, to]) => ({ from, to })));

test('allows folders that import in one direction', () => {
  expect(
    circles(
      ['src/a/one/x.ts', 'src/a/two/x.ts'],
      ['src/a/two/x.ts', 'src/a/three/x.ts'],
      ['src/a/x.ts', 'src/a/one/x.ts'],
    ),
  ).toEqual([]);
});

test('reports a cycle with one import for each step', () => {
  expect(circles(['src/a/one/x.ts', 'src/a/two/y.ts'], ['src/a/two/x.ts', 'src/a/one/y.ts'])).toEqual([
    'src/a: one → two → one (src/a/one/x.ts imports src/a/two/y.ts; src/a/two/x.ts imports src/a/one/y.ts)',
  ]);
});

test('reports a cycle at any depth and across several folders', () => {
  expect(
    circles(
      ['src/a/b/one/deep/x.ts', 'src/a/b/two/x.ts'],
      ['src/a/b/two/x.ts', 'src/a/b/three/x.ts'],
      ['src/a/b/three/x.ts', 'src/a/b/one/y.ts'],
    ),
  ).toMatchObject([expect.stringMatching(/^src\/a\/b: one → two → three → one /)]);
});

test("ignores the folder's own files", () => {
  expect(circles(['src/a/x.ts', 'src/a/one/x.ts'], ['src/a/one/x.ts', 'src/a/x.ts'])).toEqual([]);
});
