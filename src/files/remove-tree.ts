import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, lstat, open, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { hasOpenFiles, OPEN_FILES_FOLDER, withParentFolder } from './folder.ts';
import { ifMissing } from './if-missing.ts';

/**
 * Deletes a file, or a link itself. Does nothing if it does not exist.
 *
 * @throws UnsafeFileError if its folder is a link; an error of the file system.
 */
export async function removeFile(path: string): Promise<void> {
  await withParentFolder(path, unlink).catch(ifMissing);
}

/**
 * Deletes a folder and its contents, or a file. Links are deleted, not followed. Copes with folders whose permissions a
 * child removed, paths over the maximum length, and names that are not UTF-8.
 *
 * @throws UnsafeFileError if its folder is a link; an error of the file system.
 */
export async function removeTree(path: string): Promise<void> {
  await withParentFolder(path, async (entry) => {
    if (await isFolder(entry)) await emptyFolder(entry);
    await rm(entry, { recursive: true, force: true });
  }).catch(ifMissing);
}

/** Moves nested folders up before deleting them, so that no relative path is longer than one name. */
async function emptyFolder(path: string): Promise<void> {
  await chmod(path, 0o700);
  const top = await openForRemoval(path);
  try {
    for (let entries = await top.entries(); entries.length > 0; entries = await top.entries()) {
      for (const { name, isFolder } of entries) {
        if (isFolder)
          await removeLevel(top.at(name), (subfolder) => rename(subfolder, top.at(Buffer.from(randomUUID()))));
        else await unlink(top.at(name));
      }
    }
  } finally {
    await top.close();
  }
}

async function removeLevel(path: Buffer, moveUp: (subfolder: Buffer) => Promise<void>): Promise<void> {
  // The folder cannot be replaced with a link any more, because the child that wrote to it has ended.
  await chmod(path, 0o700);
  const folder = await openForRemoval(path);
  try {
    for (const { name, isFolder } of await folder.entries()) {
      const entryPath = folder.at(name);
      if (!isFolder) {
        await unlink(entryPath);
        continue;
      }
      // Needed to move the folder, unless the service is root.
      await chmod(entryPath, 0o700);
      await moveUp(entryPath);
    }
  } finally {
    await folder.close();
  }
  await rmdir(path);
}

interface RemovalFolder {
  at(name: Buffer): Buffer;
  entries(): Promise<{ readonly name: Buffer; readonly isFolder: boolean }[]>;
  close(): Promise<void>;
}

/** Opens a folder by a short path. On macOS and Windows, where open files have no paths, the path stays unchanged. */
async function openForRemoval(path: string | Buffer): Promise<RemovalFolder> {
  const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_RDONLY } = constants;
  const handle = hasOpenFiles ? await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW) : undefined;
  const base = Buffer.from(handle === undefined ? path : join(OPEN_FILES_FOLDER, `${handle.fd}`));
  return {
    at: (name) => Buffer.concat([base, Buffer.from(sep), name]),
    async entries() {
      const entries = await readdir(base, { encoding: 'buffer', withFileTypes: true });
      return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
    },
    close: async () => await handle?.close(),
  };
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path)).isDirectory();
}
