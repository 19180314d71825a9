import { statfs } from 'node:fs/promises';

/** Bytes that the service may still write to the disk of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { frsize, bavail } = await statfs(folder);
  return bavail * frsize;
}
