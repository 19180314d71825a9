import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { PGlite } from '@electric-sql/pglite';
import { replaceFile } from '../files/replace-file.ts';

/** Where the snapshot of a data directory's database lies. */
export function snapshotOf(dataDirectory: string): string {
  return join(dataDirectory, 'database.snapshot.tgz');
}

/** Writes a compressed copy of the database; the former one stays until the new one is safely on disk. */
export async function saveSnapshot(engine: PGlite, dataDirectory: string): Promise<void> {
  const copy = await engine.dumpDataDir('gzip');
  await replaceFile(snapshotOf(dataDirectory), copy.stream());
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
