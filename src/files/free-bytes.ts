import { statfs } from 'node:fs/promises';

/** Bytes that this process can still write to the disk of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { frsize, bavail } = await statfs(folder);
  return bavail * frsize;
}
