import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, type FileHandle, link, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder, withParentFolder } from './folder.ts';
import { type FileRequirements, openForReading, openForWriting } from './open-file.ts';
import { removeFile } from './remove-tree.ts';

const CHUNK_BYTES = 256 * 1024;

/**
 * Reads a small file as text, up to `maxBytes`.
 *
 * @throws UnsafeFileError; an error of the file system, such as ENOENT.
 */
export async function readTextFile(
  path: string,
  maxBytes: number,
  requirements: Pick<FileRequirements, 'links'> = {},
): Promise<string> {
  const file = await openForReading(path, requirements);
  try {
    return (await readBytes(file, maxBytes)).toString();
  } finally {
    await file.close();
  }
}

/**
 * Replaces a small file atomically: writes it next to its path and renames it.
 *
 * @throws UnsafeFileError; an error of the file system.
 */
export async function replaceTextFile(path: string, text: string): Promise<void> {
  const file = await openForWriting(`${path}.new`, { keep: false });
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
  await withParentFolder(path, (entry) => rename(`${entry}.new`, entry));
}

/**
 * Creates a small file atomically that survives a power cut. Returns `false` if the file already exists, which stays
 * unchanged: only one of several processes creates it. For a moment the file has a second link, so it is read with
 * `links: 'any'`.
 *
 * @throws UnsafeFileError; an error of the file system.
 */
export async function createTextFile(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  try {
    const file = await openForWriting(draft, { keep: false });
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await withParentFolder(draft, (from) => withParentFolder(path, (to) => link(from, to).catch(ifNoLinks(from, to))));
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await removeFile(draft);
  }
  await syncFolder(dirname(path));
  return true;
}

/** Copies the file if the file system has no hard links (FAT, several network file systems). */
function ifNoLinks(from: string, to: string): (error: unknown) => Promise<void> {
  return async (error) => {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error) ?? '')) throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
    const copy = await open(to, 'r+');
    await copy.sync().finally(() => copy.close());
  };
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/**
 * Reads up to `maxBytes` from the start of a file. Does not use the reported file size, which is 0 for files in
 * `/proc`.
 */
export async function readBytes(file: FileHandle, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  while (length < maxBytes) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, maxBytes - length));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, length);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    length += bytesRead;
  }
  return Buffer.concat(chunks);
}
