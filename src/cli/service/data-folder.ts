import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeScratch } from '../../files/scratch.ts';
import { CommandError } from '../errors/command-errors.ts';

/** Where a service inside this process has its data, and the keys that it knows. */
export interface DataFolder {
  readonly path: string;
  readonly key: string;
  readonly renderKey: string;
  close(): Promise<void>;
}

/** A folder that is deleted in the end, with keys that nobody else has. */
export function temporaryDataFolder(): DataFolder {
  const { path, remove } = makeScratch('millrace-cli-');
  // The service locks its own folder.
  return { path: join(path, 'data'), ...newKeys(), close: remove };
}

/**
 * A folder that stays, with keys that lie in it, readable for their owner alone.
 *
 * @throws CommandError where it cannot be used.
 */
export async function persistentDataFolder(folder: string): Promise<DataFolder> {
  const path = resolve(folder);
  const file = join(path, 'command-line-keys.json');
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    // Two commands may begin together: the first one makes the keys.
    await writeFile(file, JSON.stringify(newKeys()), { flag: 'wx', mode: 0o600 }).catch(ignoreExisting);
    return { path, ...readKeys(await readFile(file, 'utf8')), close: async () => undefined };
  } catch (error) {
    throw new CommandError(`${path} cannot hold the data of a service: see that it is a folder of yours.`, {
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
