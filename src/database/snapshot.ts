import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import type { PGlite } from '@electric-sql/pglite';
import { replaceFile } from '../files/replace-file.ts';
import { unpackDatabase } from './unpack.ts';

/** Where the snapshot of a data directory's database lies. */
export function snapshotOf(dataDirectory: string): string {
  return join(dataDirectory, 'database.snapshot.tgz');
}

/**
 * Writes a compressed copy of the database; the former one stays until the new one is on disk.
 *
 * @throws the reason of `signal` when it is aborted before the copy is written.
 */
export async function saveSnapshot(engine: PGlite, dataDirectory: string, signal?: AbortSignal): Promise<void> {
  const copy = await engine.dumpDataDir('gzip');
  // The data directory may be a link that the operator made.
  await replaceFile(snapshotOf(await realpath(dataDirectory)), copy.stream(), signal);
}

/**
 * Unpacks a snapshot or a backup into a folder.
 *
 * @throws Error where it is cut off or damaged; an error of the file system.
 */
export function unpackSnapshot(snapshot: string, folder: string): Promise<void> {
  return unpackDatabase(snapshot, createGunzip(), folder);
}
