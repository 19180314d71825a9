import { globSync, readFileSync } from 'node:fs';

const tests = '{src,packages,lab,test,scripts,chaos}/**/*.test.ts';

/** Returns the files that {@link hasOnlyLongTests}. `npm test` does not load them. */
export function filesWithOnlyLongTests(): string[] {
  return globSync(tests).filter(hasOnlyLongTests);
}

/** Returns the files that {@link hasLongTests}. */
export function filesWithLongTests(): string[] {
  return globSync(tests).filter(hasLongTests);
}

/**
 * Whether a test file can contain long tests: it has their tag, or leaves rows of a table to them. The short form of
 * `npm run test:long` loads only these files, and `npm test` fails if it left out a test of another one.
 */
export function hasLongTests(path: string): boolean {
  return /'long'|@module-tag long|firstRows\(/.test(readFileSync(path, 'utf8'));
}

/** Whether all tests of a file are long, as its first line states. */
export function hasOnlyLongTests(path: string): boolean {
  return readFileSync(path, 'utf8').startsWith('/** @module-tag long */');
}
