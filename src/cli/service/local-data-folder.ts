import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeTemporaryFolder } from '../../files/temporary-folder.ts';
import { CommandError } from '../errors/command-errors.ts';

/** The data folder of a local service, and the keys of the service. */
interface DataFolder {
  readonly path: string;
  readonly key: string;
  readonly renderKey: string;
  close(): Promise<void>;
}

/** Creates a temporary data folder with random keys. Closing the folder deletes it. */
export function createTemporaryDataFolder(): DataFolder {
  const { path, remove } = makeTemporaryFolder('millrace-cli-');
  // A subfolder, because the service takes a lock on its data folder.
  return { path: join(path, 'data'), ...newKeys(), close: remove };
}

/**
 * Opens or creates a persistent data folder. Its keys are stored in it, in a file that only their owner can read.
 *
 * @throws CommandError if it cannot be used.
 */
export async function openPersistentDataFolder(folder: string): Promise<DataFolder> {
  const path = resolve(folder);
  const file = join(path, 'command-line-keys.json');
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    // If two commands start at the same time, the first one creates the keys.
    await writeFile(file, JSON.stringify(newKeys()), { flag: 'wx', mode: 0o600 }).catch(ignoreExisting);
    return { path, ...readKeys(await readFile(file, 'utf8')), close: async () => undefined };
  } catch (error) {
    throw new CommandError(`${path} cannot be used as a data folder. Check that it is a folder that you own.`, {
      cause: error,
    });
  }
}

function newKeys() {
  const secret = () => randomBytes(24).toString('base64url');
  return { key: secret(), renderKey: secret() };
}

function readKeys(text: string): { key: string; renderKey: string } {
  const { key, renderKey } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  if (typeof key !== 'string' || typeof renderKey !== 'string') throw new Error('its keys cannot be read');
  return { key, renderKey };
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}
