import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { withParentFolder } from './folder.ts';
import { ifMissing } from './if-missing.ts';
import { throwUnsafe, UnsafeFileError } from './unsafe-file-error.ts';

/** Permissions of every file that the service creates. */
export const FILE_MODE = 0o600;

/** Does not follow links or wait for FIFOs and devices. Windows has neither flag. */
const SAFE_FLAGS = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Requirements for a file, besides being a regular one. */
export interface FileRequirements {
  /** Bytes. */
  readonly size?: number;
  /**
   * `one` (the default): no other hard link to it exists, so nobody else can read or change it by another path. `any`:
   * for inputs of a job that an engine child may be reading, which the sandbox links into the child's own folder, and for
   * the database, which the operator may copy by links. Results and stored or served files have one link.
   */
  readonly links?: 'one' | 'any';
}

/** How a file is opened for writing. */
interface WriteOptions extends Pick<FileRequirements, 'links'> {
  /** Whether its content is kept. */
  readonly keep: boolean;
  /** Whether every write appends. */
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
 * Opens a file for reading and writing, and creates it if it does not exist. It is emptied only after the checks, so that
 * no other file is emptied through a link.
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
 * The size of a file in bytes; `undefined` if it does not exist or {@link openForReading} would refuse it. Does not open the
 * file.
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
  // Windows follows links: they are refused beforehand, but a link that appears in between is followed.
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

/** Why a file is not the expected one, as text that follows its path; undefined if it is. */
export function faultOf(stats: BigIntStats, { size, links = 'one' }: FileRequirements): string | undefined {
  if (!stats.isFile()) return 'is not a regular file';
  if (links === 'one' && stats.nlink !== 1n) return `has ${stats.nlink} links instead of one`;
  if (size !== undefined && stats.size !== BigInt(size)) return `has ${stats.size} bytes instead of ${size}`;
  return undefined;
}
