import { realpath } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { ifMissing } from './if-missing.ts';
import { readTextFile } from './small-file.ts';

/** Maximum size of a file with settings in bytes. */
const MAX_BYTES = 1_000_000;

/** A file with a `NAME=value` on each line. */
export interface EnvFile {
  /** Its absolute path, without symbolic links. */
  readonly path: string;
  readonly values: Readonly<NodeJS.Dict<string>>;
}

/**
 * Reads a file with a `NAME=value` on each line. Returns undefined if it does not exist. Never waits for a FIFO or a
 * device.
 *
 * @throws UnsafeFileError if it is not a regular file; Error if it is too large; an error of the file system.
 */
export async function readEnvFile(path: string): Promise<EnvFile | undefined> {
  const realPath = await realpath(path).catch(ifMissing);
  if (realPath === undefined) return undefined;
  const text = await readTextFile(realPath, MAX_BYTES + 1, { links: 'any' });
  if (Buffer.byteLength(text) > MAX_BYTES) throw new Error(`${realPath} is longer than ${MAX_BYTES} bytes`);
  return { path: realPath, values: parseEnv(text) };
}
