import { existsSync, lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { LOCK_FILE, lockFolder } from './folder-lock.ts';
import { removeTree } from './remove-tree.ts';

/** A temporary folder of this process. */
export interface TemporaryFolder {
  readonly path: string;
  /** Deletes it. */
  remove(): Promise<void>;
}

/**
 * Makes a temporary folder for this process, and removes those of the same kind whose process was killed. Each is locked
 * by its process, since a process id says nothing: in a container the service has the id 1 at every start.
 *
 * @param kind Prefix of their names, such as `millrace-engine-`.
 */
export function makeTemporaryFolder(kind: string): TemporaryFolder {
  const parent = resolve(tmpdir());
  for (const name of readdirSync(parent).filter((each) => each.startsWith(kind))) removeAbandoned(join(parent, name));
  // It is locked before it gets a name that other processes look for.
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
 * Removes a folder that a killed process left. Others stay: those of live processes and other users, and what cannot be
 * removed, which does not prevent the start.
 */
function removeAbandoned(path: string): void {
  try {
    if (lstatSync(path).uid !== process.getuid?.() || !existsSync(join(path, LOCK_FILE))) return;
    const lock = lockFolder(path, 0);
    lock.release();
    rmSync(path, { recursive: true, force: true });
  } catch {
    // In use, removed already, or not removable: nothing reads it.
  }
}
