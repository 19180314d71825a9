import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';

/** The keys that the first start of a service creates. */
interface FirstKeys {
  readonly extraction?: string | undefined;
  readonly render?: string | undefined;
}

/** Permissions of the file. */
const OWNER_ONLY = 0o600;

/**
 * Reports new keys once: to a terminal, or else to a file in the data folder that only the service's user can read. The
 * log contains only the path of the file, because logs are collected and kept.
 *
 * @param terminal Standard error, if it is a terminal.
 */
export async function reportFirstKeys(
  { extraction, render }: FirstKeys,
  { dataDirectory, terminal, log }: { dataDirectory: string; terminal: NodeJS.WritableStream | undefined; log: Logger },
): Promise<void> {
  const lines = [
    ...(extraction === undefined ? [] : [`extraction API (X-Marketplace-Key): ${extraction}`]),
    ...(render === undefined ? [] : [`direct job API (Authorization: Bearer): ${render}`]),
  ];
  if (lines.length === 0) return;
  if (terminal !== undefined) {
    const list = lines.map((line) => `  ${line}\n`).join('');
    terminal.write(`\nNew keys were created. They are displayed only this once, so save them:\n${list}\n`);
    return;
  }
  try {
    const path = await writeNewFile(join(dataDirectory, 'first-keys'), `${lines.join('\n')}\n`);
    log.info({ path }, 'new keys were created and written to a file; save them, then delete the file');
  } catch (error) {
    log.error(
      { err: error },
      'new keys were created but could not be saved; create others with "millrace keys create"',
    );
  }
}

/**
 * Writes a file that did not exist. If another file has its name, such as one of an earlier database, the time is added
 * to the name. Returns its path.
 */
async function writeNewFile(name: string, content: string): Promise<string> {
  const path = await createExclusively(name, content).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    return createExclusively(`${name}.${Date.now()}`, content);
  });
  return path;
}

async function createExclusively(path: string, content: string): Promise<string> {
  const file = await open(path, 'wx', OWNER_ONLY);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  return path;
}
