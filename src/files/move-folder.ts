import { lstat, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { openFolder, withParentFolder } from './folder.ts';
import { ifMissing } from './if-missing.ts';
import { faultOf } from './open-file.ts';
import { removeTree } from './remove-tree.ts';
import { UnsafeFileError } from './unsafe-file-error.ts';

/**
 * Moves the files of a folder that a child process could write to into a folder that only the service writes. Only
 * regular files with one link are moved. Everything else is deleted, including a link in place of the folder. Does
 * nothing if the folder does not exist. Call it only after the child has ended.
 *
 * @throws An error of the file system.
 */
export async function moveFolder(path: string, destination: string): Promise<void> {
  const isFolder = await withParentFolder(path, (source) =>
    withParentFolder(destination, async (target) => {
      await rename(source, target);
      return (await lstat(target)).isDirectory();
    }),
  ).catch(undefinedIfNoFolder);
  if (isFolder === true) await removeUnsafeEntries(destination);
  if (isFolder === false) await removeTree(destination);
}

async function removeUnsafeEntries(path: string): Promise<void> {
  const folder = await openFolder(path);
  try {
    for (const { name } of await folder.entries()) {
      const entry = await lstat(folder.at(name), { bigint: true });
      if (faultOf(entry, {}) !== undefined) await removeTree(join(path, name));
    }
  } finally {
    await folder.close();
  }
}

function undefinedIfNoFolder(error: unknown): undefined {
  return error instanceof UnsafeFileError ? undefined : ifMissing(error);
}
