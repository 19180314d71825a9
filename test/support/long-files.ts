import { readFileSync } from 'node:fs';

/**
 * Whether a test file can contain long tests: it has their tag, or leaves rows of a table to them. The short form of
 * `npm run test:long` loads only these files, and `npm test` fails if it left out a test of another one.
 */
export function hasLongTests(path: string): boolean {
  return /'long'|@module-tag long|firstRows\(/.test(readFileSync(path, 'utf8'));
}
