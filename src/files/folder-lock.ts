import { accessSync, constants, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileSystemReason, StartError } from '../contract/start-error.ts';

/** Thrown if another process has the folder open. */
export class FolderInUseError extends StartError {
  override readonly name = 'FolderInUseError';
}

/** A lock that ends with its process, even after a crash, unless it is released earlier. */
export interface FolderLock {
  /** Releases the lock. Does nothing the second time. */
  release(): void;
}

/** Name of the lock file in its folder. */
export const LOCK_FILE = 'lock';

// Result codes of SQLite (https://www.sqlite.org/rescode.html).
const BUSY = 5;
const NOT_A_DATABASE = 26;

/** The locks of this process. Garbage collection closes unreferenced files, which would release their locks. */
const heldLocks = new Set<DatabaseSync>();

/**
 * Takes a folder for exclusive use by this process. The lock is an exclusive transaction on a side file: the kernel
 * drops it when the process ends, even after a crash.
 *
 * @param timeout Milliseconds to wait for a process that is about to end.
 * @throws FolderInUseError; StartError if the folder cannot be locked.
 */
export function lockFolder(folder: string, timeout = 2_000): FolderLock {
  const path = join(folder, LOCK_FILE);
  try {
    return lockFile(path, timeout);
  } catch (error) {
    if (resultCode(error) !== NOT_A_DATABASE) throw failure(folder, error);
  }
  // The lock is on the file, not on its contents, so a holder keeps it when damaged contents are removed.
  try {
    truncateSync(path);
    return lockFile(path, timeout);
  } catch (error) {
    throw failure(folder, error);
  }
}

function lockFile(path: string, timeout: number): FolderLock {
  const file = new DatabaseSync(path);
  try {
    // SQLite opens a file without write permission for reading, and then locks nothing.
    accessSync(path, constants.W_OK);
    // A journal on disk takes space, and the lock must work on a full disk.
    file.exec(`pragma busy_timeout = ${timeout}; pragma journal_mode = memory; begin exclusive`);
  } catch (error) {
    file.close();
    throw error;
  }
  heldLocks.add(file);
  return {
    release() {
      if (heldLocks.delete(file)) file.close();
    },
  };
}

function failure(folder: string, cause: unknown): StartError {
  if (resultCode(cause) === BUSY) {
    const message = `Another Millrace process uses ${folder}. Stop it, or set DATA_DIR to another folder for this one.`;
    return new FolderInUseError(message, { cause });
  }
  const reason = fileSystemReason(cause) ?? (cause instanceof Error ? cause.message : String(cause));
  return new StartError(
    `${join(folder, LOCK_FILE)} cannot be locked: ${reason}. Delete it if it is not a file that the service ` +
      'can write to, make sure that its file system supports locks, and start again.',
    { cause },
  );
}

function resultCode(error: unknown): number | undefined {
  // The primary code is in the low byte.
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined;
}
