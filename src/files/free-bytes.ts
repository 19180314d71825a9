import { statfs } from 'node:fs/promises';

/** Returns the bytes that this process can still write to a folder's disk. */
export async function freeBytes(folder: string): Promise<number> {
  const { frsize, bavail } = await statfs(folder);
  return bavail * frsize;
}
