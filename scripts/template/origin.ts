import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

/** The sources of a template. When one of them changes, the template must be made again. */
interface TemplateOrigin {
  /** Version of the embedded engine. */
  readonly engine: string;
  /** SHA-256 of each migration, by name. */
  readonly migrations: Readonly<Record<string, string>>;
}

/** The record of the current template's sources, with the SHA-256 of the archive. */
export const ORIGIN_FILE = new URL('../../src/database/template/made-from.json', import.meta.url);

const migrations = new URL('../../src/database/migrations/', import.meta.url);
const engine = new URL('../../node_modules/@electric-sql/pglite/package.json', import.meta.url);

/** Returns the sources that a new template would have. */
export async function currentOrigin(): Promise<TemplateOrigin> {
  const { version } = JSON.parse(await readFile(engine, 'utf8')) as { version: string };
  const names = (await readdir(migrations)).toSorted();
  const hashes = names.map(async (name) => [name, await sha256(new URL(name, migrations))] as const);
  return { engine: version, migrations: Object.fromEntries(await Promise.all(hashes)) };
}

/** Returns the SHA-256 of a file in hexadecimal. */
export async function sha256(file: URL): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}
