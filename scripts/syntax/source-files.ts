import { globSync } from 'node:fs';
import { resolve } from 'node:path';

/** Returns the modules of the service, page, client and command line, without tests. */
export function sourceFiles(): string[] {
  const files = globSync(['src/**/*.{ts,js}', 'packages/*/src/**/*.ts'], {
    exclude: ['**/*.test.ts', '**/testing/**'],
  });
  return files.map((file) => resolve(file)).sort();
}
