import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/**
 * Returns the SHA-256 of an open file in hexadecimal, and leaves the file open.
 *
 * @throws An error of the file system; the signal's reason.
 */
export async function hashFile(file: FileHandle, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const stream = file.createReadStream({ autoClose: false, start: 0, highWaterMark: 1024 * 1024, signal });
  for await (const chunk of stream) hash.update(chunk);
  return hash.digest('hex');
}
