import { join } from 'node:path';
import { openFolder } from './folder.ts';
import { openForReading } from './open-file.ts';

/** Files of one folder that are synced concurrently: a disk can process several at a time. */
const CONCURRENCY = 16;

/**
 * Settles when a folder and everything in it is on disk: each file, and each folder with the names in it. Expects only
 * folders and regular files, which may have other hard links from a user's copy.
 *
 * @throws UnsafeFileError; an error of the file system.
 */
export async function syncTree(path: string): Promise<void> {
  const folder = await openFolder(path);
  try {
    const entries = await folder.entries();
    for (let start = 0; start < entries.length; start += CONCURRENCY) {
      const batch = entries.slice(start, start + CONCURRENCY);
      await Promise.all(batch.map((entry) => (entry.isDirectory() ? syncTree : syncFile)(join(path, entry.name))));
    }
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await openForReading(path, { links: 'any' });
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
