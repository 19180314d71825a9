import { type FileHandle, rename } from 'node:fs/promises';
import { inItsFolder } from './folder.ts';
import { openToRead, openToWrite } from './open-file.ts';

const CHUNK_BYTES = 256 * 1024;

/**
 * Reads a small file as text, up to `mostBytes`.
 *
 * @throws UnsafeFileError; an error of the file system, such as ENOENT.
 */
export async function readText(path: string, mostBytes: number): Promise<string> {
  const file = await openToRead(path);
  try {
    return (await readBytes(file, mostBytes)).toString();
  } finally {
    await file.close();
  }
}

/**
 * Replaces a small file atomically: writes it next to its path and renames it.
 *
 * @throws UnsafeFileError; an error of the file system.
 */
export async function replaceText(path: string, text: string): Promise<void> {
  const file = await openToWrite(`${path}.new`, { keep: false });
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
  await inItsFolder(path, (entry) => rename(`${entry}.new`, entry));
}

/** Reads up to `mostBytes` from the start of a file. Does not use its size, because files in `/proc` have none. */
export async function readBytes(file: FileHandle, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  while (length < mostBytes) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, mostBytes - length));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, length);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    length += bytesRead;
  }
  return Buffer.concat(chunks);
}
