import { constants, type Dirent, existsSync } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { refused, UnsafeFileError } from './unsafe-file-error.ts';

/** Linux names every open file here, so that `openat` can be had by a path. */
export const OPEN_FILES = '/proc/self/fd';
export const hasOpenFiles = existsSync(OPEN_FILES);

/** Permissions of every folder that the service makes. */
export const FOLDER_MODE = 0o700;

/** A folder that is held open: what is done through it stays in it, whatever its path leads to meanwhile. */
export interface Folder {
  /**
   * The path of an entry, good until the folder is closed.
   *
   * @throws UnsafeFileError for anything but a plain name.
   */
  at(name: string): string;
  /** What is in it. */
  entries(): Promise<Dirent[]>;
  /** Settles when the names in it are on disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a folder, which must not be a symbolic link; links further up in its path are the operator's, and are followed.
 * Elsewhere than on Linux a folder cannot be held: a link is refused when the folder is opened, but one that takes its
 * place later is followed.
 *
 * @throws UnsafeFileError; an error of the file system, such as ENOENT.
 */
export async function openFolder(path: string): Promise<Folder> {
  if (!hasOpenFiles && !(await lstat(path)).isDirectory()) throw new UnsafeFileError(path, 'is not a folder');
  const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_RDONLY } = constants;
  const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(refused(path));
  const base = hasOpenFiles ? join(OPEN_FILES, `${handle.fd}`) : path;
  return {
    at: (name) => join(base, plainName(name)),
    entries: () => readdir(base, { withFileTypes: true }),
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}

/**
 * Makes a folder, and those above it; nothing where it is there already.
 *
 * @throws UnsafeFileError where something else is there, or a link.
 */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  const folder = await openFolder(path);
  await folder.close();
}

/**
 * Makes a folder that the operator has chosen, which may be a link to one; nothing where it is there already. Returns
 * its path without links.
 */
export async function makeRoot(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  return await realpath(path);
}

/** The names of what is in a folder. @throws UnsafeFileError where it is a link. */
export async function namesIn(path: string): Promise<string[]> {
  const folder = await openFolder(path);
  try {
    return (await folder.entries()).map(({ name }) => name);
  } finally {
    await folder.close();
  }
}

/**
 * Holds the folder of a path open while something is done with its last component, whose path is handed over.
 *
 * @throws UnsafeFileError where that folder is a link.
 */
export async function inItsFolder<T>(path: string, work: (entry: string) => Promise<T>): Promise<T> {
  const folder = await openFolder(dirname(path));
  try {
    return await work(folder.at(basename(path)));
  } finally {
    await folder.close();
  }
}

function plainName(name: string): string {
  // A backslash is a separator on Windows alone, and in no name that the service gives.
  if (name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name)) {
    throw new UnsafeFileError(JSON.stringify(name.slice(0, 100)), 'is not the name of a file');
  }
  return name;
}
