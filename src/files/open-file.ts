import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { withParentFolder } from './folder.ts';
import { ifMissing } from './if-missing.ts';
import { throwUnsafe, UnsafeFileError } from './unsafe-file-error.ts';

/** Permissions of every file that the service creates. */
export const FILE_MODE = 0o600;

/** Prevents following links and waiting for FIFOs and devices. Windows has neither flag. */
const SAFE_FLAGS = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Requirements for a file, besides being a regular one. */
export interface FileRequirements {
  /** Required size in bytes. */
  readonly size?: number;
  /**
   * `one` (the default): no other hard link to the file exists, so nobody else can read or change it by another path.
   * `any`: for a job's inputs, which the sandbox links into the folder of an engine child that may be reading them, and
   * for the database, which the operator may copy with links. Results and stored or served files have one link.
   */
  readonly links?: 'one' | 'any';
}

/** Options for opening a file for writing. */
interface WriteOptions extends Pick<FileRequirements, 'links'> {
  /** Whether to keep the existing content. */
  readonly keep: boolean;
  /** Whether every write appends to the end. */
  readonly append?: boolean;
}

/**
 * Opens an existing file for reading.
 *
 * @throws UnsafeFileError; an error of the file system, such as ENOENT.
 */
export function openForReading(path: string, requirements: FileRequirements = {}): Promise<FileHandle> {
  return withParentFolder(path, (entry) => openEntry(entry, constants.O_RDONLY, path, requirements));
}

/**
 * Opens a file for reading and writing, and creates it if it does not exist. It is truncated only after the checks, so
 * that no other file is truncated through a link.
 *
 * @throws UnsafeFileError; an error of the file system.
 */
export async function openForWriting(path: string, { keep, append = false, links }: WriteOptions): Promise<FileHandle> {
  const flags = constants.O_RDWR | constants.O_CREAT | (append ? constants.O_APPEND : 0);
  const file = await withParentFolder(path, (entry) =>
    openEntry(entry, flags, path, links === undefined ? {} : { links }),
  );
  if (keep) return file;
  try {
    await file.truncate(0);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Returns the size of a file in bytes, or `undefined` if it does not exist or {@link openForReading} would refuse it.
 * Does not open the file.
 */
export async function sizeOf(path: string, requirements: FileRequirements = {}): Promise<number | undefined> {
  try {
    const stats = await withParentFolder(path, (entry) => lstat(entry, { bigint: true }));
    return faultOf(stats, requirements) === undefined ? Number(stats.size) : undefined;
  } catch (error) {
    return error instanceof UnsafeFileError ? undefined : ifMissing(error);
  }
}

/**
 * Opens an entry of a folder that is held open. `path` is its name in error messages.
 *
 * @throws UnsafeFileError; an error of the file system.
 */
export async function openEntry(
  entry: string,
  flags: number,
  path: string,
  requirements: FileRequirements,
): Promise<FileHandle> {
  // Windows follows links. Links are refused before opening, but a link that appears between this check and the opening
  // is followed.
  if (constants.O_NOFOLLOW === undefined && (await lstat(entry).catch(ifMissing))?.isSymbolicLink()) {
    throw new UnsafeFileError(path, 'is a symbolic link');
  }
  const file = await open(entry, flags | SAFE_FLAGS, FILE_MODE).catch(throwUnsafe(path));
  try {
    const fault = faultOf(await file.stat({ bigint: true }), requirements);
    if (fault !== undefined) throw new UnsafeFileError(path, fault);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Returns why a file does not meet the requirements, as text that follows its path; undefined if it does. */
export function faultOf(stats: BigIntStats, { size, links = 'one' }: FileRequirements): string | undefined {
  if (!stats.isFile()) return 'is not a regular file';
  if (links === 'one' && stats.nlink !== 1n) return `has ${stats.nlink} links instead of one`;
  if (size !== undefined && stats.size !== BigInt(size)) return `has ${stats.size} bytes instead of ${size}`;
  return undefined;
}
