import { basename, dirname, join } from 'node:path';
import { CommandError } from '../errors/command-errors.ts';

/** Returns the message for a path that exists. */
export function fileExistsMessage(path: string): string {
  return `${path} is there already. Give another name with --output, or replace it with --force.`;
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
    ENOSPC: `The disk of ${folder} is full. Make room, then run the same command again: it goes on where it was.`,
    EDQUOT: `Your quota on the disk of ${folder} is used up. Make room, then run the same command again.`,
    EFBIG: `${basename(path)} would be larger than files may be here.`,
    EACCES: `You may not write ${join(folder, basename(path))}.`,
    EPERM: `You may not write ${join(folder, basename(path))}.`,
    EROFS: `${folder} is on a disk that is read-only.`,
    ENOENT: `There is no folder ${folder}.`,
    ENOTDIR: `${folder} is no folder.`,
    EISDIR: `${path} is a folder.`,
  };
  const message = messages[codeOf(error) ?? ''];
  return message === undefined ? error : new CommandError(message, { cause: error });
}

/** Returns the system's code of an error, such as `ENOSPC`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
