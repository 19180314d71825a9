import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder, withParentFolder } from './folder.ts';
import { openForWriting } from './open-file.ts';
import { removeFile } from './remove-tree.ts';
import { throwUnsafe } from './unsafe-file-error.ts';

/**
 * Replaces a file atomically and durably: writes the new file next to its path, and renames it once it is on disk.
 * Returns its size in bytes.
 *
 * @throws UnsafeFileError; an error of the file system or the source, or the reason of `signal`, after which the former
 * file is still in place.
 */
export async function replaceFile(
  path: string,
  source: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<number> {
  const partial = `${path}.partial`;
  let bytes: number;
  try {
    const file = await openForWriting(partial, { keep: false });
    try {
      await file.writeFile(source, { signal });
      await file.sync();
      bytes = (await file.stat()).size;
    } finally {
      await file.close();
    }
    await withParentFolder(path, (entry) => rename(`${entry}.partial`, entry).catch(throwUnsafe(path)));
  } catch (error) {
    await removeFile(partial).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(path));
  return bytes;
}
