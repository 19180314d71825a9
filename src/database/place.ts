import { lstat, readdir, realpath, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../files/folder.ts';
import { ifMissing } from '../if-missing.ts';
import { DatabaseOpenError } from './opening-failure.ts';
import { isSystemError } from './watched-folder.ts';

/** Where the embedded database of a data directory lies. */
export function databaseFolderOf(dataDirectory: string): string {
  return join(dataDirectory, 'database');
}

/**
 * The same without links: the operator may have moved the database elsewhere and left a link.
 *
 * @throws DatabaseOpenError if the link leads to nothing.
 */
export async function resolveDatabaseFolder(dataDirectory: string): Promise<string> {
  const folder = databaseFolderOf(dataDirectory);
  const found = await realpath(folder).catch(ifMissing);
  if (found !== undefined) return found;
  if ((await lstat(folder).catch(ifMissing)) === undefined) return folder;
  throw new DatabaseOpenError(
    `${folder} is a link to a folder that is missing. Mount or create that folder, or remove the link, then start again.`,
  );
}

/** Whether a folder holds no database at all: it is not there, or empty. */
export async function isVacant(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(ifMissing);
  return names === undefined || names.length === 0;
}

/**
 * Where a database is made before it gets its place. If it is there and the database is not, the replacement of a
 * database was interrupted.
 */
export function partialOf(folder: string): string {
  return `${folder}.partial`;
}

/**
 * Moves a database's folder, durably.
 *
 * @throws DatabaseOpenError if one of them is a mount point.
 */
export async function moveDatabase(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (cause) {
    if (!isSystemError(cause) || !['EBUSY', 'EXDEV'].includes(cause.code)) throw cause;
    throw new DatabaseOpenError(
      `The database folder cannot be moved from ${from} to ${to}, because one of them is a mount point: ${cause.message}. ` +
        'Mount the volume at DATA_DIR instead, or at another folder with DATA_DIR/database as a link to a folder in it.',
      { cause },
    );
  }
  await syncFolder(dirname(to));
}
