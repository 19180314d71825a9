import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';

/** Below the installed packages, so that it goes when they are installed anew. */
const CACHE = join('node_modules', '.cache', 'millrace');
const ENGINE = join('node_modules', '@electric-sql', 'pglite', 'package.json');

/**
 * Puts an embedded database with nothing in it into a data directory. To make one takes five seconds of a core, so it
 * is made once and copied from then on; what opens it finds a database of the engine's own making.
 */
export async function putEmptyDatabase(dataDirectory: string): Promise<void> {
  await cp(await emptyDatabase(), join(dataDirectory, 'database'), { recursive: true });
}

async function emptyDatabase(): Promise<string> {
  const { version } = JSON.parse(await readFile(ENGINE, 'utf8')) as { version: string };
  const target = join(CACHE, `empty-database-${version}`);
  if (existsSync(target)) return target;
  await mkdir(CACHE, { recursive: true });
  const workshop = await mkdtemp(join(CACHE, 'workshop-'));
  try {
    const engine = new PGlite({ dataDir: join(workshop, 'database') });
    await engine.waitReady;
    await engine.close();
    await rename(join(workshop, 'database'), target);
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(target)) throw error;
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
  return target;
}
