import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { PGlite } from '@electric-sql/pglite';

/** Where the snapshot of a data directory's database lies. */
export function snapshotOf(dataDirectory: string): string {
  return join(dataDirectory, 'database.snapshot.tgz');
}

/** Writes a compressed copy of the database; the former one stays until the new one is safely on disk. */
export async function saveSnapshot(engine: PGlite, dataDirectory: string): Promise<void> {
  const target = snapshotOf(dataDirectory);
  const partial = `${target}.partial`;
  const copy = await engine.dumpDataDir('gzip');
  const file = await open(partial, 'w', 0o600);
  try {
    await file.writeFile(copy.stream());
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partial, target);
  await syncFolder(dataDirectory);
}

const decompress = promisify(gunzip);

/**
 * Reads a snapshot back.
 *
 * @throws Error where it is cut off or damaged.
 */
export async function loadSnapshot(path: string): Promise<Blob> {
  return new Blob([await decompress(await readFile(path))]);
}

/** A rename is on disk only when its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
