import { globSync } from 'node:fs';
import { resolve } from 'node:path';

/** The modules of the service, its page, its client and its command line, without their tests. */
export function sourceFiles(): string[] {
  const files = globSync('src/**/*.{ts,js}', { exclude: ['**/*.test.ts', '**/testing/**'] });
  return files.map((file) => resolve(file)).sort();
}
