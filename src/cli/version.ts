import { readFile } from 'node:fs/promises';

/** The version of this package. It lies two folders above, both as written and as built. */
export async function packageVersion(): Promise<string> {
  const found: unknown = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  const { version } = found as { readonly version?: unknown };
  return typeof version === 'string' ? version : 'unknown';
}
