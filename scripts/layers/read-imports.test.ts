import { expect, test } from 'vitest';
import { specifiersOf } from './read-imports.ts';

test('finds static, type-only, re-exported and dynamic imports', () => {
  const source = `
    import { a } from './static.ts';
    import type { B } from './types.ts';
    export { c } from './re-exported.ts';
    export type * from './all-types.ts';
    const d = await import('./dynamic.ts');
    const e = await import(name);
  `;
  expect(specifiersOf('a.ts', source).toSorted()).toEqual([
    './all-types.ts',
    './dynamic.ts',
    './re-exported.ts',
    './static.ts',
    './types.ts',
  ]);
});

test('throws for a file that cannot be parsed', () => {
  expect(() => specifiersOf('a.ts', 'import {')).toThrow('a.ts cannot be parsed');
});
