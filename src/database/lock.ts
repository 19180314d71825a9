import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another process has the data directory open. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
}

/**
 * Takes a folder for this process alone. The lock is an exclusive transaction on a side file: the kernel drops it when
 * the process ends, however it ends.
 *
 * @throws FolderInUseError
 */
export function lockFolder(folder: string): { release(): void } {
  const file = new DatabaseSync(join(folder, 'lock'));
  try {
    file.exec('pragma busy_timeout = 2000; begin exclusive');
  } catch (error) {
    file.close();
    throw new FolderInUseError(
      `Another Millrace process uses ${folder}. Stop it, or give this one a DATA_DIR of its own.`,
      { cause: error },
    );
  }
  return { release: () => file.close() };
}
