import { lstat, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { ifMissing } from '../if-missing.ts';
import { inItsFolder, openFolder } from './folder.ts';
import { faultOf } from './open-file.ts';
import { removeTree } from './remove.ts';
import { UnsafeFileError } from './unsafe-file-error.ts';

/**
 * Moves a folder of files that a child could write to, into a folder that only the service writes. Of what is in it only
 * regular files with one link come along; all else is deleted, and a link in place of the folder as well. Nothing happens
 * where there is no folder. To be called when the child is dead.
 *
 * @throws An error of the file system.
 */
export async function moveFolder(path: string, destination: string): Promise<void> {
  const moved = await inItsFolder(path, (source) =>
    inItsFolder(destination, async (target) => {
      await rename(source, target);
      return (await lstat(target)).isDirectory();
    }),
  ).catch(ifNoFolder);
  if (moved === true) await keepFiles(destination);
  if (moved === false) await removeTree(destination);
}

async function keepFiles(path: string): Promise<void> {
  const folder = await openFolder(path);
  try {
    for (const { name } of await folder.entries()) {
      const found = await lstat(folder.at(name), { bigint: true });
      if (faultOf(found, {}) !== undefined) await removeTree(join(path, name));
    }
  } finally {
    await folder.close();
  }
}

function ifNoFolder(error: unknown): undefined {
  return error instanceof UnsafeFileError ? undefined : ifMissing(error);
}
