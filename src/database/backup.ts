import { existsSync } from 'node:fs';
import { copyFile, rename, rm } from 'node:fs/promises';
import { StartError } from '../contract/start-error.ts';
import { lockFolder } from '../files/lock.ts';
import { databaseFolderOf, isVacant, openFolder, partialOf } from './engine.ts';
import { expectKnownSchema } from './migrate.ts';
import { snapshotOf, unpackSnapshot } from './snapshot.ts';
import { wordsOf } from './words-of.ts';

/**
 * Copies the embedded database of a service that is not running.
 *
 * @throws FolderInUseError if it is running; StartError if there is no database, or it cannot be opened.
 */
export async function backUp(dataDirectory: string): Promise<Blob> {
  const folder = databaseFolderOf(dataDirectory);
  if (await isVacant(folder)) throw new StartError(`There is no embedded database in ${dataDirectory}.`);
  const lock = lockFolder(dataDirectory);
  try {
    const engine = await openFolder(folder);
    return await engine.dumpDataDir('gzip').finally(() => engine.close());
  } finally {
    lock.release();
  }
}

/** What {@link restoreBackup} did. */
export interface Restored {
  /** Where it moved the database that it replaced; undefined if there was none. */
  readonly former: string | undefined;
}

/**
 * Replaces the embedded database of a data directory with a backup. Nothing changes until the backup has been opened and
 * checked. The database that was there is moved aside, not deleted.
 *
 * @throws FolderInUseError if a service uses the data directory; StartError if the backup cannot be used.
 */
export async function restoreBackup(dataDirectory: string, backup: string): Promise<Restored> {
  const lock = lockFolder(dataDirectory);
  try {
    const folder = databaseFolderOf(dataDirectory);
    const made = await unpack(folder, backup);
    const suffix = `replaced-${Date.now()}`;
    // If the process is killed after the former database was moved, the next start restores the snapshot.
    await replaceSnapshot(snapshotOf(dataDirectory), backup, suffix);
    const former = (await isVacant(folder)) ? undefined : `${folder}.${suffix}`;
    if (former !== undefined) await rename(folder, former);
    await rm(folder, { recursive: true, force: true });
    await rename(made, folder);
    return { former };
  } finally {
    lock.release();
  }
}

/** Unpacks a backup next to the database's folder, and checks it. Returns the folder. */
async function unpack(folder: string, backup: string): Promise<string> {
  const made = partialOf(folder);
  try {
    await unpackSnapshot(backup, made);
    const engine = await openFolder(made);
    try {
      const { rows } = await engine.query<{ version: number }>('select version from schema_migrations');
      await expectKnownSchema(Math.max(0, ...rows.map(({ version }) => version)));
    } finally {
      await engine.close();
    }
    return made;
  } catch (cause) {
    await rm(made, { recursive: true, force: true });
    throw new StartError(`The backup ${backup} cannot be restored, and nothing has changed: ${wordsOf(cause)}`, {
      cause,
    });
  }
}

async function replaceSnapshot(snapshot: string, backup: string, suffix: string): Promise<void> {
  const partial = `${snapshot}.partial`;
  await copyFile(backup, partial);
  if (existsSync(snapshot)) await rename(snapshot, `${snapshot}.${suffix}`);
  await rename(partial, snapshot);
}
