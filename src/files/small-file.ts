import { type FileHandle, rename } from 'node:fs/promises';
import { inItsFolder } from './folder.ts';
import { openToRead, openToWrite } from './open-file.ts';

const CHUNK_BYTES = 256 * 1024;

/**
 * Reads a small file as text, its first `mostBytes` at most.
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
 * Writes a small file beside its place and moves it there, so that it is there whole or not at all.
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

/** Reads the first bytes of a file, `mostBytes` at most. Its size is not asked for: files of `/proc` have none. */
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
