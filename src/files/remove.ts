import { chmod, lstat, readdir, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ifMissing } from '../if-missing.ts';
import { inItsFolder } from './folder.ts';

/**
 * Deletes a file; a link is deleted itself. One that is not there is deleted already.
 *
 * @throws UnsafeFileError where its folder is a link; an error of the file system.
 */
export async function removeFile(path: string): Promise<void> {
  await inItsFolder(path, unlink).catch(ifMissing);
}

/**
 * Deletes a folder and all that is in it, or a file; links are deleted themselves. A child may have taken the service's
 * own permissions from its folders, which are given back.
 *
 * @throws UnsafeFileError where its folder is a link; an error of the file system.
 */
export async function removeTree(path: string): Promise<void> {
  await inItsFolder(path, async (entry) => {
    try {
      await remove(entry);
    } catch {
      // What is still wrong after that is thrown.
      await openUp(entry);
      await remove(entry);
    }
  }).catch(ifMissing);
}

/** `rm` looks with lstat and deletes with unlink, so it never goes through a link. */
function remove(entry: string): Promise<void> {
  return rm(entry, { recursive: true, force: true });
}

async function openUp(entry: string): Promise<void> {
  const found = await lstat(entry).catch(ifMissing);
  if (found?.isDirectory() !== true) return;
  // Nobody can put a link in its place any more: whoever wrote here is dead.
  await chmod(entry, 0o700);
  for (const name of await readdir(entry)) await openUp(join(entry, name));
}
