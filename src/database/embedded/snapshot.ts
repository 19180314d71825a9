import { realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import type { PGlite } from '@electric-sql/pglite';
import { syncFolder } from '../../files/folder.ts';
import { ifMissing } from '../../files/if-missing.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { resolveDatabaseFolder } from './database-folder.ts';
import { databaseBytes, packDatabase } from './pack-database.ts';
import { unpackDatabase } from './unpack-database.ts';

/** Returns the path of the snapshot of a data folder's database. */
export function snapshotPathOf(dataDirectory: string): string {
  return join(dataDirectory, 'database.snapshot.tgz');
}

/** Returns the path of the last snapshot while the database is too large for further ones. */
export function outdatedSnapshotPathOf(dataDirectory: string): string {
  return join(dataDirectory, 'database.snapshot.outdated.tgz');
}

/** An existing snapshot. */
export interface Snapshot {
  /** Its path. */
  readonly snapshot: string;
  readonly written: Date;
  /** Whether the database was too large for further snapshots, so that only the operator may restore this one. */
  readonly outdated: boolean;
}

/** Finds the last snapshot of a data folder's database; undefined if it does not exist. */
export async function findSnapshot(dataDirectory: string): Promise<Snapshot | undefined> {
  for (const [snapshot, outdated] of [
    [snapshotPathOf(dataDirectory), false],
    [outdatedSnapshotPathOf(dataDirectory), true],
  ] as const) {
    const file = await stat(snapshot).catch(ifMissing);
    if (file !== undefined) return { snapshot, written: file.mtime, outdated };
  }
  return undefined;
}

/**
 * Maximum size of a snapshot. A copy of this size takes 2 to 4 s of processor time every five minutes, and a stop waits
 * for it for at most 4 s.
 */
const MAX_SNAPSHOT_BYTES = 100_000_000;

/**
 * Writes a compressed copy of the database. The former copy remains until the new one is on disk. Returns `false` if
 * the database is larger than `maxBytes`: nothing was written, and the former snapshot is marked as outdated.
 *
 * @throws the reason of `signal` when it is aborted before the copy is written.
 */
export async function saveSnapshot(
  engine: PGlite,
  dataDirectory: string,
  signal: AbortSignal,
  maxBytes = MAX_SNAPSHOT_BYTES,
): Promise<boolean> {
  signal.throwIfAborted();
  // The path may be a link that the operator created.
  const directory = await realpath(dataDirectory);
  if ((await databaseBytes(engine)) > maxBytes) {
    await rename(snapshotPathOf(directory), outdatedSnapshotPathOf(directory)).catch(ifMissing);
    await syncFolder(directory);
    return false;
  }
  const folder = await resolveDatabaseFolder(dataDirectory);
  const archive = await packDatabase(engine, folder, { signal });
  await replaceFile(snapshotPathOf(directory), archive, signal).finally(() => archive.destroy());
  await rm(outdatedSnapshotPathOf(directory), { force: true });
  return true;
}

/**
 * Unpacks a snapshot or a backup into a folder.
 *
 * @throws Error if it is truncated or damaged; an error of the file system.
 */
export function unpackSnapshot(snapshot: string, folder: string): Promise<void> {
  return unpackDatabase(snapshot, createGunzip(), folder);
}
