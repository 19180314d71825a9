import { closeSync, constants, fchmodSync, fstatSync, lstatSync, openSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { FOLDER_MODE } from './folder.ts';
import { FILE_MODE } from './open-file.ts';

/** Permissions of a file's group and of all other users. */
export const GROUP_AND_OTHERS = 0o077;

/** A file or folder that other users of the machine can reach. */
export interface ExposedPath {
  readonly path: string;
  /** User ID of the owner. */
  readonly uid: number;
  /** Permissions. */
  readonly mode: number;
}

/** Options for closing files to other users. */
interface RestrictOptions {
  /** Users that may own the files. Files of other users count as open. */
  readonly owners: ReadonlySet<number>;
  /** Whether a parent folder is already closed, so that nobody else can reach the files. */
  readonly parentIsPrivate: boolean;
  /** Whether to change permissions; otherwise open files are only reported. */
  readonly change: boolean;
  /** Whether to close the contents of a folder too; default true. */
  readonly deep?: boolean;
}

/**
 * Removes the permissions of group and others from a file, or from a folder and its contents. Links are neither changed
 * nor followed. Returns the paths that are still open, outermost first.
 *
 * Blocks the process: the thousand files of a database take 10 ms, and ten times longer in the thread pool. Folders are
 * closed before their contents, so that nobody can add files in the meantime.
 */
export function restrictToOwner(
  path: string,
  { owners, parentIsPrivate, change, deep = true }: RestrictOptions,
): ExposedPath[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !(stats.isFile() || stats.isDirectory())) return [];
  const current = change && (stats.mode & GROUP_AND_OTHERS) !== 0 ? removeOthersAccess(path, stats) : stats;
  const open = (current.mode & GROUP_AND_OTHERS) !== 0 || !owners.has(current.uid);
  const own = open && !parentIsPrivate ? [{ path, uid: current.uid, mode: current.mode & 0o7777 }] : [];
  if (!current.isDirectory() || !deep) return own;
  const childOptions = { owners, parentIsPrivate: parentIsPrivate || !open, change };
  return [...own, ...namesIfReadable(path).flatMap((name) => restrictToOwner(join(path, name), childOptions))];
}

/**
 * Removes the permissions of group and others. Uses a handle, because a path would lead through a link that replaced
 * the file.
 */
function removeOthersAccess(path: string, stats: Stats): Stats {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  try {
    const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const { mode, uid } = fstatSync(file);
      // A file of another user that has replaced the checked file is not changed.
      if (uid === stats.uid) fchmodSync(file, mode & (stats.isDirectory() ? FOLDER_MODE : FILE_MODE));
      return fstatSync(file);
    } finally {
      closeSync(file);
    }
  } catch {
    // The service may not change this file, so it stays open to others and is reported.
    return stats;
  }
}

function namesIfReadable(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    // A folder that the service cannot read contains none of its data.
    return [];
  }
}
