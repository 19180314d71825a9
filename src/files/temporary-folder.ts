import { existsSync, lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { LOCK_FILE, lockFolder } from './folder-lock.ts';
import { removeTree } from './remove-tree.ts';

/** A temporary folder of this process. */
export interface TemporaryFolder {
  readonly path: string;
  /** Deletes the folder. */
  remove(): Promise<void>;
}

/**
 * Creates a temporary folder for this process, and removes those of the same kind whose process was killed. Each
 * process locks its folder, because a process ID does not identify a process: in a container the service has ID 1 at
 * every start.
 *
 * @param kind Prefix of the folder names, such as `millrace-engine-`.
 */
export function makeTemporaryFolder(kind: string): TemporaryFolder {
  const parent = resolve(tmpdir());
  for (const name of readdirSync(parent).filter((each) => each.startsWith(kind))) removeAbandoned(join(parent, name));
  // The folder is locked before it gets a name that other processes look for.
  const lockedFolder = mkdtempSync(join(parent, `.${kind}`));
  const lock = lockFolder(lockedFolder);
  const path = join(parent, `${kind}${lockedFolder.slice(-6)}`);
  try {
    renameSync(lockedFolder, path);
  } catch (error) {
    lock.release();
    rmSync(lockedFolder, { recursive: true, force: true });
    throw error;
  }
  return {
    path,
    async remove() {
      lock.release();
      await removeTree(path);
    },
  };
}

/**
 * Removes a folder that a killed process left. Keeps folders of live processes and other users. Errors are ignored, so
 * that they do not prevent the start.
 */
function removeAbandoned(path: string): void {
  try {
    if (lstatSync(path).uid !== process.getuid?.() || !existsSync(join(path, LOCK_FILE))) return;
    const lock = lockFolder(path, 0);
    lock.release();
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The folder is in use, was already removed, or cannot be removed. A folder that stays is harmless, because it is
    // never read.
  }
}
