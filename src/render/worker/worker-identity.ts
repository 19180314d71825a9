import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { makeFolder } from '../../files/folder.ts';
import { lockFolder } from '../../files/folder-lock.ts';
import { ifMissing } from '../../files/if-missing.ts';
import { readTextFile, replaceTextFile } from '../../files/small-file.ts';

/** The identity of a worker, from one start to the next. */
interface WorkerIdentity {
  readonly id: string;
  /** Lets another process be this worker. */
  close(): Promise<void>;
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Claims the identity in a data directory for this process only; creates one at the first start. What former runs have
 * left on this disk belongs to it.
 *
 * @throws FolderInUseError when another process is this worker.
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
  // A damaged one is nobody's: others take over the jobs that were left under it.
  if (storedId !== undefined && uuidPattern.test(storedId.trim())) return storedId.trim();
  const id = randomUUID();
  await replaceTextFile(path, `${id}\n`);
  return id;
}
