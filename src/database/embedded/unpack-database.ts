import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { unpackTar } from 'modern-tar/fs';
import { FOLDER_MODE } from '../../files/folder.ts';
import { FILE_MODE } from '../../files/open-file.ts';
import { syncTree } from '../../files/sync-tree.ts';

/** Files that are written concurrently; each uses a descriptor. */
const CONCURRENCY = 4;

/**
 * Unpacks a compressed archive (tar) of a database folder, file by file, with only a few chunks of it in memory.
 * Replaces the folder. When it settles, everything is on disk; when it fails, nothing remains.
 *
 * @throws Error if the archive is truncated or damaged; an error of the file system.
 */
export async function unpackDatabase(archive: string | URL, decompress: Transform, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  try {
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    const files = unpackTar(folder, { fmode: FILE_MODE, dmode: FOLDER_MODE, concurrency: CONCURRENCY });
    await pipeline(createReadStream(archive), decompress, files);
    await syncTree(folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
