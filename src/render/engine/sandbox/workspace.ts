import { chownSync, constants, mkdirSync, mkdtempSync } from 'node:fs';
import { copyFile, link, lstat, open, rename } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { MillraceError } from '../../../contract/errors.ts';
import { ifMissing } from '../../../files/if-missing.ts';
import { FILE_MODE, openForReading } from '../../../files/open-file.ts';
import { moveOutputFile, takeOwnership } from '../../../files/output-file.ts';
import { removeFile, removeTree } from '../../../files/remove-tree.ts';
import { UnsafeFileError } from '../../../files/unsafe-file-error.ts';
import { diskFullError, isDiskFull } from '../errors/disk-full.ts';
import { childGroup } from './child-users.ts';

/** Errors of link(2) if the file system has no hard links, or the paths are on different file systems. */
const linkErrors = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * A child's own folders: one with the inputs of its task, which it may read, and one for its output. They exist before
 * the child starts. It sees no other files of the service; the files of a task are linked into these folders.
 */
export class Workspace {
  /** Folder that the child reads. */
  readonly inputs: string;
  /** Folder that the child writes. */
  readonly outputs: string;
  readonly #directory: string;
  readonly #user: number | undefined;

  /**
   * Creates an empty workspace.
   *
   * @param parent A folder on the file system of the tasks' files, so that they need not be copied.
   * @param user The user that the child runs as, unless it is the service's.
   */
  constructor(parent: string, user: number | undefined) {
    this.#user = user;
    this.#directory = mkdtempSync(join(parent, 'child-'));
    this.inputs = join(this.#directory, 'inputs');
    this.outputs = join(this.#directory, 'outputs');
    for (const path of [this.inputs, this.outputs]) {
      mkdirSync(path, { mode: 0o700 });
      if (user !== undefined) chownSync(path, user, childGroup);
    }
  }

  /** Returns the path at which the child reads an input, counted from 0. */
  inputPath(at: number, original: string): string {
    return join(this.inputs, `input-${at + 1}${extname(original)}`);
  }

  /** Returns the path at which the child writes the result for `destination`. */
  resultPath(destination: string): string {
    return join(this.outputs, `result${extname(destination)}`);
  }

  /**
   * Lets the child read an input. It is linked, or copied if the file system has no hard links.
   *
   * @throws An error of the file system.
   */
  async linkInput(at: number, original: string): Promise<void> {
    const path = this.inputPath(at, original);
    await link(original, path).catch((error: unknown) => copyIfUnlinkable(error, original, path));
    // Several children may read one file concurrently, so it gets their common group.
    await this.#give(path, process.getuid?.(), 0o640);
  }

  /**
   * Lets the child read an input that is still being written.
   *
   * @throws MillraceError `processing_failed` if it cannot be linked, `storage_failed` if the disk is full; an error of
   * the file system.
   */
  async linkGrowingInput(at: number, original: string): Promise<void> {
    const path = this.inputPath(at, original);
    await link(original, path).catch((cause: unknown) => {
      throw isDiskFull(cause) ? diskFullError(cause) : new MillraceError('processing_failed', cannotLink, { cause });
    });
    // Several children may read one file concurrently, so it gets their common group.
    await this.#give(path, process.getuid?.(), 0o640);
  }

  /**
   * Lets the child complete a file that is already at the result's path. If the file system has no hard links, the file
   * is moved into the workspace until the result is taken.
   *
   * @throws An error of the file system.
   */
  async linkResult(destination: string): Promise<void> {
    const path = this.resultPath(destination);
    await link(destination, path).catch((error: unknown) => moveIfUnlinkable(error, destination, path));
    await this.#give(path, this.#user, FILE_MODE);
  }

  /**
   * Moves the result to its path. Call it only after the child has ended, so that the result cannot be replaced in the
   * meantime.
   *
   * @param bytes Size that the child reported.
   * @throws MillraceError `result_unproven` if it is not a plain file of that size with one link; `processing_failed`
   * if it cannot be moved, `storage_failed` if the disk is full.
   */
  async takeResult(destination: string, bytes: number): Promise<void> {
    try {
      await this.#take(destination, bytes);
    } catch (cause) {
      if (cause instanceof UnsafeFileError) throw new MillraceError('result_unproven', resultMismatch, { cause });
      throw isDiskFull(cause) ? diskFullError(cause) : new MillraceError('processing_failed', cannotMove, { cause });
    }
  }

  /** Removes everything. */
  async remove(): Promise<void> {
    await removeTree(this.#directory);
  }

  async #take(destination: string, size: number): Promise<void> {
    const path = this.resultPath(destination);
    if (await isSameFile(path, destination)) {
      // The result was completed in place. rename(2) would leave both names.
      await removeFile(path);
      await takeResultOwnership(destination, size);
      return;
    }
    const result = { name: basename(path), size };
    await moveOutputFile(this.outputs, result, destination).catch(async (error: unknown) => {
      if (!hasCode(error, new Set(['EXDEV']))) throw error;
      await copyFile(path, destination);
      await takeResultOwnership(destination, size);
    });
  }

  /** Gives a file to a user and the group of children. If children run as the service's user, only checks the file. */
  async #give(path: string, owner: number | undefined, mode: number): Promise<void> {
    // Fails for a symbolic link, and does not wait for a FIFO.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (this.#user === undefined || owner === undefined) return;
      await file.chown(owner, childGroup);
      await file.chmod(mode);
    } finally {
      await file.close();
    }
  }
}

async function copyIfUnlinkable(error: unknown, from: string, to: string): Promise<void> {
  if (!hasCode(error, linkErrors)) throw error;
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
}

async function moveIfUnlinkable(error: unknown, from: string, to: string): Promise<void> {
  if (!hasCode(error, linkErrors)) throw error;
  await rename(from, to).catch((cause: unknown) => {
    if (!hasCode(cause, linkErrors)) throw cause;
    return copyFile(from, to, constants.COPYFILE_EXCL);
  });
}

async function isSameFile(path: string, other: string): Promise<boolean> {
  const [status, before] = [await lstat(path, { bigint: true }), await lstat(other, { bigint: true }).catch(ifMissing)];
  return before?.dev === status.dev && before.ino === status.ino;
}

/** Makes the service the only user of a result, after checking its size and that it has only one link. */
async function takeResultOwnership(destination: string, size: number): Promise<void> {
  const file = await openForReading(destination, { size });
  try {
    await takeOwnership(file);
  } finally {
    await file.close();
  }
}

function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  return error instanceof Error && 'code' in error && codes.has(String(error.code));
}

const cannotLink = 'An input that is still downloading could not be made available to the media engine.';
const cannotMove = 'The result could not be moved to its destination. Start the same job again.';
const resultMismatch =
  "The media engine's output does not match the result that it reported. Start the same job again.";
