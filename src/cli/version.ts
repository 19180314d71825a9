import { readFile } from 'node:fs/promises';
import { packageFile } from '../files/own-files.ts';

/** The version of this package. */
export async function packageVersion(): Promise<string> {
  const found: unknown = JSON.parse(await readFile(packageFile('package.json'), 'utf8'));
  const { version } = found as { readonly version?: unknown };
  return typeof version === 'string' ? version : 'unknown';
}
