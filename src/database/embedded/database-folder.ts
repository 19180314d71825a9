import { lstat, readdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../../files/folder.ts';
import { ifMissing } from '../../files/if-missing.ts';
import { isSystemError } from './engine-file-system.ts';
import { DatabaseOpenError } from './open-errors.ts';

/** Returns the folder of the embedded database of a data folder. */
export function databaseFolderOf(dataDirectory: string): string {
  return join(dataDirectory, 'database');
}

/**
 * Returns {@link databaseFolderOf} with links resolved: the operator may have moved the database elsewhere and left a
 * link.
 *
 * @throws DatabaseOpenError if the link's target is missing.
 */
export async function resolveDatabaseFolder(dataDirectory: string): Promise<string> {
  const folder = databaseFolderOf(dataDirectory);
  const resolvedFolder = await realpath(folder).catch(ifMissing);
  if (resolvedFolder !== undefined) return resolvedFolder;
  if ((await lstat(folder).catch(ifMissing)) === undefined) return folder;
  throw new DatabaseOpenError(
    `${folder} is a link to a folder that is missing. Mount or create that folder, or remove the link, then start again.`,
  );
}

/** Whether a folder is missing or empty. */
export async function isVacant(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(ifMissing);
  return names === undefined || names.length === 0;
}

/**
 * Returns the folder where a database is unpacked and checked before it is moved into place. If an earlier attempt left
 * this folder behind, it is deleted.
 */
export function unpackFolderOf(folder: string): string {
  return `${folder}.unpacking`;
}

/**
 * Returns the folder of a complete database that is about to replace another. If this folder exists and the database's
 * own folder does not, the replacement was interrupted, and the next start completes it.
 */
export function replacementFolderOf(folder: string): string {
  return `${folder}.replacement`;
}

/**
 * Moves an unpacked database durably to its folder, which is vacant.
 *
 * @throws DatabaseOpenError if the folder is a mount point; an error of the file system. The unpacked database is then
 * deleted.
 */
export async function placeDatabase(unpackedFolder: string, folder: string): Promise<void> {
  try {
    await move(unpackedFolder, folder);
  } catch (error) {
    await rm(unpackedFolder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Moves a database aside and an unpacked one into its place, durably.
 *
 * @throws DatabaseOpenError if the folder is a mount point, and an error of the file system. If the database could not
 * be moved aside, the unpacked one is deleted and nothing has changed. Otherwise the next start completes the
 * replacement.
 */
export async function replaceDatabase(unpackedFolder: string, folder: string, aside: string): Promise<void> {
  const replacement = replacementFolderOf(folder);
  await rm(replacement, { recursive: true, force: true });
  await placeDatabase(unpackedFolder, replacement);
  try {
    await move(folder, aside);
  } catch (error) {
    if (!(await isVacant(folder))) await rm(replacement, { recursive: true, force: true });
    throw error;
  }
  await move(replacement, folder);
}

/**
 * Completes a replacement that was interrupted.
 *
 * @throws an error of the file system.
 */
export async function completeReplacement(folder: string): Promise<void> {
  await move(replacementFolderOf(folder), folder);
}

async function move(from: string, to: string): Promise<void> {
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
