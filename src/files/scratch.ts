import { existsSync, lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { LOCK_FILE, lockFolder } from './lock.ts';
import { removeTree } from './remove.ts';

/** A temporary folder of this process. */
export interface Scratch {
  readonly path: string;
  /** Deletes it. */
  remove(): Promise<void>;
}

/**
 * Makes a temporary folder for this process, and removes those of the same kind whose process was killed. Each is locked
 * by its process, since a process id says nothing: in a container the service has the id 1 at every start.
 *
 * @param kind What their names begin with, such as `millrace-engine-`.
 */
export function makeScratch(kind: string): Scratch {
  const parent = resolve(tmpdir());
  for (const name of readdirSync(parent).filter((each) => each.startsWith(kind))) removeIfLeft(join(parent, name));
  // It gets a name that others look for only when it is locked.
  const made = mkdtempSync(join(parent, `.${kind}`));
  const lock = lockFolder(made);
  const path = join(parent, `${kind}${made.slice(-6)}`);
  try {
    renameSync(made, path);
  } catch (error) {
    lock.release();
    rmSync(made, { recursive: true, force: true });
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
function removeIfLeft(path: string): void {
  try {
    if (lstatSync(path).uid !== process.getuid?.() || !existsSync(join(path, LOCK_FILE))) return;
    const lock = lockFolder(path, 0);
    lock.release();
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Its process is alive, or it has been removed already, or it stays: nothing is read from it.
  }
}
