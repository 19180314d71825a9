import { closeSync, constants, fchmodSync, fstatSync, lstatSync, openSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { FOLDER_MODE } from './folder.ts';
import { FILE_MODE } from './open-file.ts';

/** Permissions of a file's group and of all others. */
export const OTHERS = 0o077;

/** A file or folder that other users of the machine can reach. */
export interface OpenToOthers {
  readonly path: string;
  /** Its owner. */
  readonly uid: number;
  /** Its permissions. */
  readonly mode: number;
}

/** How files are closed to other users. */
export interface Closing {
  /** The users that may own the files: what belongs to anybody else counts as open. */
  readonly owners: ReadonlySet<number>;
  /** Whether a folder above is closed already, so that nobody else gets here. */
  readonly sheltered: boolean;
  /** Whether permissions are changed; else it is only said what is open. */
  readonly change: boolean;
  /** Whether what is in a folder is closed as well; default true. */
  readonly deep?: boolean;
}

/**
 * Takes the permissions of group and others away from a file, or from a folder and all that is in it; links are left
 * alone, and not followed. Returns what is still open, outermost first.
 *
 * It blocks: the thousand files of a database take 10 ms this way, and ten times as long through the thread pool. A
 * folder is closed before what is in it, so that nobody can put anything in between.
 */
export function closeToOthers(path: string, { owners, sheltered, change, deep = true }: Closing): OpenToOthers[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || !(found.isFile() || found.isDirectory())) return [];
  const now = change && (found.mode & OTHERS) !== 0 ? withoutOthers(path, found) : found;
  const open = (now.mode & OTHERS) !== 0 || !owners.has(now.uid);
  const here = open && !sheltered ? [{ path, uid: now.uid, mode: now.mode & 0o7777 }] : [];
  if (!now.isDirectory() || !deep) return here;
  const within = { owners, sheltered: sheltered || !open, change };
  return [...here, ...readable(path).flatMap((name) => closeToOthers(join(path, name), within))];
}

/** Through a handle: by its path, a link that takes the place of the file meanwhile would be followed. */
function withoutOthers(path: string, found: Stats): Stats {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  try {
    const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const { mode, uid } = fstatSync(file);
      // Another file that has taken its place stays as it is.
      if (uid === found.uid) fchmodSync(file, mode & (found.isDirectory() ? FOLDER_MODE : FILE_MODE));
      return fstatSync(file);
    } finally {
      closeSync(file);
    }
  } catch {
    // Not ours to change; what is open stays open, and that is what is returned.
    return found;
  }
}

function readable(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    // What the service cannot look into holds nothing of it.
    return [];
  }
}
