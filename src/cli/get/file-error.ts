import { basename, dirname, join } from 'node:path';
import { CommandError } from '../errors/command-errors.ts';

/** Returns the message for a path that exists. */
export function fileExistsMessage(path: string): string {
  return `${path} already exists. Choose another name with --output, or overwrite it with --force.`;
}

/** Runs work on a file, and explains errors of the file system. @throws CommandError */
export async function withFileErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileError(path, error);
  }
}

/** Returns a CommandError for an error of the file system, and any other error unchanged. */
export function fileError(path: string, error: unknown): unknown {
  const folder = dirname(path);
  const messages: Readonly<Record<string, string>> = {
    ENOSPC: `The disk of ${folder} is full. Free up space, then run the same command again to resume.`,
    EDQUOT: `Your quota on the disk of ${folder} is used up. Free up space, then run the same command again.`,
    EFBIG: `${basename(path)} would exceed the maximum file size.`,
    EACCES: `You do not have permission to write ${join(folder, basename(path))}.`,
    EPERM: `You do not have permission to write ${join(folder, basename(path))}.`,
    EROFS: `${folder} is on a read-only disk.`,
    ENOENT: `The folder ${folder} does not exist.`,
    ENOTDIR: `${folder} is not a folder.`,
    EISDIR: `${path} is a folder.`,
  };
  const message = messages[codeOf(error) ?? ''];
  return message === undefined ? error : new CommandError(message, { cause: error });
}

/** Returns the system error code, such as `ENOSPC`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
