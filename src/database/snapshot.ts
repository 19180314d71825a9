import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import type { PGlite } from '@electric-sql/pglite';
import { replaceFile } from '../files/replace-file.ts';
import { untilAborted } from '../until-aborted.ts';
import { unpackDatabase } from './unpack.ts';

/** Where the snapshot of a data directory's database lies. */
export function snapshotOf(dataDirectory: string): string {
  return join(dataDirectory, 'database.snapshot.tgz');
}

/** The engine holds a copy in memory several times over: one of 204 MB takes 550 MB (pglite 0.5.16). */
const MOST_BYTES = 100_000_000;

/**
 * Writes a compressed copy of the database; the former one stays until the new one is on disk. Returns `false` if the
 * database is larger than `mostBytes`, so that nothing was written.
 *
 * @throws the reason of `signal` when it is aborted before the copy is written.
 */
export async function saveSnapshot(
  engine: PGlite,
  dataDirectory: string,
  signal: AbortSignal,
  mostBytes = MOST_BYTES,
): Promise<boolean> {
  signal.throwIfAborted();
  const { rows } = await engine.query<{ bytes: number }>(
    'select sum(pg_database_size(oid))::float8 as bytes from pg_database',
  );
  if (rows.some(({ bytes }) => bytes > mostBytes)) return false;
  const copy = await untilAborted(engine.dumpDataDir('gzip'), signal);
  // The data directory may be a link that the operator made.
  await replaceFile(snapshotOf(await realpath(dataDirectory)), copy.stream(), signal);
  return true;
}

/**
 * Unpacks a snapshot or a backup into a folder.
 *
 * @throws Error where it is cut off or damaged; an error of the file system.
 */
export function unpackSnapshot(snapshot: string, folder: string): Promise<void> {
  return unpackDatabase(snapshot, createGunzip(), folder);
}
