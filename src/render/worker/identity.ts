import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { makeFolder } from '../../files/folder.ts';
import { ifMissing } from '../../files/if-missing.ts';
import { lockFolder } from '../../files/lock.ts';
import { readText, replaceText } from '../../files/small-file.ts';

/** Who a worker is, from one start to the next. */
export interface WorkerIdentity {
  readonly id: string;
  /** Lets another process be this worker. */
  close(): Promise<void>;
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Takes the identity that a data directory holds for this process alone; makes one at the first start. What is left of
 * former runs on this disk is its own.
 *
 * @throws FolderInUseError when another process is this worker.
 */
export async function claimIdentity(dataDirectory: string): Promise<WorkerIdentity> {
  const folder = join(dataDirectory, 'worker');
  await makeFolder(folder);
  const lock = lockFolder(folder);
  try {
    const id = await readOrMake(join(folder, 'id'));
    return { id, close: async () => lock.release() };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function readOrMake(path: string): Promise<string> {
  const known = await readText(path, 100).catch(ifMissing);
  // One that is damaged is nobody's: what was left under it is taken up by others.
  if (known !== undefined && uuidPattern.test(known.trim())) return known.trim();
  const id = randomUUID();
  await replaceText(path, `${id}\n`);
  return id;
}
