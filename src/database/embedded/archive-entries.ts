import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { TarSource } from 'modern-tar/fs';

/**
 * Maximum size in bytes of files that are read here. For each file, the packer would need five calls on other threads.
 */
const SMALL_FILE_BYTES = 64 * 1024;
/** Maximum bytes of small files held in memory. */
const MAX_HELD_BYTES = 16 * 1024 * 1024;

/** Prevents following links and opening files that make the reader wait. Windows has neither flag. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Lists the entries for an archive of a folder: its folders and files, the small ones with their content. A database of
 * a few megabytes has 450 files, nearly all of them small.
 *
 * @param isNeeded Whether the file at a path belongs in the archive.
 * @throws An error of the file system.
 */
export async function archiveEntries(folder: string, isNeeded: (path: string) => boolean): Promise<TarSource[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  let heldBytes = 0;
  return entries.flatMap((entry): TarSource[] => {
    const source = join(entry.parentPath, entry.name);
    const target = relative(folder, source).split(sep).join('/');
    if (entry.isDirectory()) return [{ type: 'content', content: null, target: `${target}/` }];
    if (!isNeeded(source)) return [];
    const content = entry.isFile() && heldBytes < MAX_HELD_BYTES ? readSmallFile(source) : undefined;
    if (content === undefined) return [{ type: 'file', source, target }];
    heldBytes += content.length;
    return [{ type: 'content', content, target }];
  });
}

/** Reads a file; returns undefined if it is not small. */
function readSmallFile(path: string): Buffer | undefined {
  const file = openSync(path, READ_FLAGS);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > SMALL_FILE_BYTES) return undefined;
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
