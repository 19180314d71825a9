import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { isUuid } from '../../database/is-uuid.ts';
import { makeFolder } from '../../files/folder.ts';
import { lockFolder } from '../../files/folder-lock.ts';
import { ifMissing } from '../../files/if-missing.ts';
import { readTextFile, replaceTextFile } from '../../files/small-file.ts';

/** The identity of a worker across restarts. */
interface WorkerIdentity {
  readonly id: string;
  /** Allows another process to use the identity. */
  close(): Promise<void>;
}

/**
 * Claims the identity in a data directory for this process only; creates one at the first start. Files that earlier
 * runs have left on this disk belong to this identity.
 *
 * @throws FolderInUseError if another process uses it.
 */
export async function claimIdentity(dataDirectory: string): Promise<WorkerIdentity> {
  const folder = join(dataDirectory, 'worker');
  await makeFolder(folder);
  const lock = lockFolder(folder);
  try {
    const id = await readOrCreateId(join(folder, 'id'));
    return { id, close: async () => lock.release() };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function readOrCreateId(path: string): Promise<string> {
  const storedId = await readTextFile(path, 100).catch(ifMissing);
  // A damaged identity is discarded: other workers take over the jobs that were left under it.
  if (storedId !== undefined && isUuid(storedId.trim())) return storedId.trim();
  const id = randomUUID();
  await replaceTextFile(path, `${id}\n`);
  return id;
}
