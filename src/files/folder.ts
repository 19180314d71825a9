import { closeSync, constants, type Dirent, existsSync, fsyncSync, openSync } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { throwUnsafe, UnsafeFileError } from './unsafe-file-error.ts';

/** Linux lists every open file here, which makes `openat` possible by path. */
export const OPEN_FILES_FOLDER = '/proc/self/fd';
export const hasOpenFiles = existsSync(OPEN_FILES_FOLDER);

/** Permissions of every folder that the service creates. */
export const FOLDER_MODE = 0o700;

/** A folder that is held open: operations stay in it even if its path is replaced. */
export interface Folder {
  /**
   * Returns the path of an entry, valid until the folder is closed.
   *
   * @throws UnsafeFileError for anything but a plain name.
   */
  at(name: string): string;
  /** Returns the folder's entries. */
  entries(): Promise<Dirent[]>;
  /** Settles when the names in the folder would survive a power cut, as far as its file system can promise that. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a folder, which must not be a symbolic link. Links in parent folders of its path come from the operator and are
 * followed. Only Linux can hold a folder open. On other systems a link is refused when the folder is opened, but a link
 * that replaces it later is followed.
 *
 * @throws UnsafeFileError; an error of the file system, such as ENOENT.
 */
export async function openFolder(path: string): Promise<Folder> {
  if (!hasOpenFiles && !(await lstat(path)).isDirectory()) throw new UnsafeFileError(path, 'is not a folder');
  const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_RDONLY } = constants;
  const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(throwUnsafe(path));
  const base = hasOpenFiles ? join(OPEN_FILES_FOLDER, `${handle.fd}`) : path;
  return {
    at: (name) => join(base, plainName(name)),
    entries: () => readdir(base, { withFileTypes: true }),
    sync: () => handle.sync().catch(ignoreUnsyncable),
    close: () => handle.close(),
  };
}

/**
 * Creates a folder and its parents, unless it exists.
 *
 * @throws UnsafeFileError if the path is a link or not a folder.
 */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  const folder = await openFolder(path);
  await folder.close();
}

/**
 * Creates a folder that the operator chose, unless it exists; it may be a link to a folder. A new folder survives a
 * power cut. Returns its path without links.
 */
export async function makeRootFolder(path: string): Promise<string> {
  const firstCreated = await makeFolders(path);
  if (firstCreated !== undefined) {
    // Syncs each folder from the parent of `path` up to the parent of the first folder that was created.
    for (let parent = dirname(resolve(path)); ; parent = dirname(parent)) {
      await syncFolder(await realpath(parent));
      if (parent === dirname(resolve(firstCreated))) break;
    }
  }
  return await realpath(path);
}

/** Creates a folder with its parents. Returns the first one that did not exist. */
async function makeFolders(path: string): Promise<string | undefined> {
  try {
    return await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  } catch (error) {
    // With `recursive`, Node 26.10 reports a read-only file system as ENOENT. Creating the same folder without
    // `recursive` fails with EROFS.
    const first = error instanceof Error && 'code' in error && error.code === 'ENOENT' && 'path' in error && error.path;
    if (typeof first === 'string') await mkdir(first, { mode: FOLDER_MODE });
    throw error;
  }
}

/**
 * Errors of `open` and `fsync` for folders that cannot be synced: on Windows, on some network mounts, or without read
 * permission.
 */
const notSyncable = new Set(['EINVAL', 'EBADF', 'ENOTSUP', 'EPERM', 'EISDIR', 'EACCES']);

/**
 * Settles when the names in a folder would survive a power cut, as far as its file system can promise that.
 *
 * @throws UnsafeFileError if the path is a link; an error of the file system, such as EIO.
 */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await openFolder(path);
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    ignoreUnsyncable(error);
  }
}

/**
 * The same as {@link syncFolder}, but blocks the process. Follows links.
 *
 * @throws an error of the file system, such as EIO.
 */
export function syncFolderBlocking(path: string): void {
  try {
    const folder = openSync(path, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    ignoreUnsyncable(error);
  }
}

/** Ignores the errors of folders that cannot be synced. For use with `catch`. */
function ignoreUnsyncable(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && notSyncable.has(String(error.code)))) throw error;
}

/**
 * Returns the names in a folder.
 *
 * @throws UnsafeFileError if the path is a link.
 */
export async function namesIn(path: string): Promise<string[]> {
  const folder = await openFolder(path);
  try {
    return (await folder.entries()).map(({ name }) => name);
  } finally {
    await folder.close();
  }
}

/**
 * Holds the parent folder of a path open while `work` uses the path's last component.
 *
 * @throws UnsafeFileError if the parent folder is a link.
 */
export async function withParentFolder<T>(path: string, work: (entry: string) => Promise<T>): Promise<T> {
  const folder = await openFolder(dirname(path));
  try {
    return await work(folder.at(basename(path)));
  } finally {
    await folder.close();
  }
}

function plainName(name: string): string {
  // A backslash is a separator on Windows only, and no name that the service creates contains one.
  if (name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name)) {
    throw new UnsafeFileError(JSON.stringify(name.slice(0, 100)), 'is not a valid file name');
  }
  return name;
}
