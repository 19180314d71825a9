import { chownSync, constants, mkdirSync, mkdtempSync } from 'node:fs';
import { copyFile, link, lstat, open, rename } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { MillraceError } from '../../../contract/errors.ts';
import { FILE_MODE, openToRead } from '../../../files/open-file.ts';
import { removeFile, removeTree } from '../../../files/remove.ts';
import { takeFile } from '../../../files/take-file.ts';
import { UnsafeFileError } from '../../../files/unsafe-file-error.ts';
import { ifMissing } from '../../../if-missing.ts';
import { childGroup } from './users.ts';

/** Errors of link(2) where the file system, or a pair of them, has no hard links. */
const unlinkable = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * A child's own folders: one with the inputs of its task, which it may read, and one for what it makes. They exist
 * before the child starts, which sees nothing else of the service's files; the files of a task are linked into them.
 */
export class Workspace {
  /** Folder that the child reads. */
  readonly inputs: string;
  /** Folder that the child writes. */
  readonly outputs: string;
  readonly #directory: string;
  readonly #user: number | undefined;

  /**
   * Makes an empty workspace.
   *
   * @param parent A folder on the file system of the tasks' files, so that they need not be copied.
   * @param user The user that the child runs as, where that is not the service's.
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

  /** Path under which the child reads an input, which is counted from 0. */
  inputPath(at: number, original: string): string {
    return join(this.inputs, `input-${at + 1}${extname(original)}`);
  }

  /** Path under which the child writes the result that goes to `place`. */
  resultPath(place: string): string {
    return join(this.outputs, `result${extname(place)}`);
  }

  /**
   * Lets the child read an input. It is linked, or copied where the file system has no links.
   *
   * @throws An error of the file system.
   */
  async admitInput(at: number, original: string): Promise<void> {
    const path = this.inputPath(at, original);
    await link(original, path).catch((error: unknown) => copyInstead(error, original, path));
    // Several children may read one file at a time, so it goes to the group that they share.
    await this.#give(path, process.getuid?.(), 0o640);
  }

  /**
   * Lets the child read an input that is still being written.
   *
   * @throws MillraceError `processing_failed` where the file system has no links; an error of the file system.
   */
  async admitGrowingInput(at: number, original: string): Promise<void> {
    const path = this.inputPath(at, original);
    await link(original, path).catch((cause: unknown) => {
      throw new MillraceError('processing_failed', cannotLink, { cause });
    });
    // Several children may read one file at a time, so it goes to the group that they share.
    await this.#give(path, process.getuid?.(), 0o640);
  }

  /**
   * Lets the child complete a file that lies at the result's place already. Where the file system has no links, it lies
   * there no longer until the result is taken.
   *
   * @throws An error of the file system.
   */
  async admitResult(place: string): Promise<void> {
    const path = this.resultPath(place);
    await link(place, path).catch((error: unknown) => moveInstead(error, place, path));
    await this.#give(path, this.#user, FILE_MODE);
  }

  /**
   * Moves the result to its place. To be called when the child is dead, so that nobody can exchange it meanwhile.
   *
   * @param bytes Size that the child announced.
   * @throws MillraceError `result_unproven` unless there is a plain file of that size and of no other name;
   *   `processing_failed` when it cannot be moved.
   */
  async takeResult(place: string, bytes: number): Promise<void> {
    try {
      await this.#take(place, bytes);
    } catch (cause) {
      if (cause instanceof UnsafeFileError) throw new MillraceError('result_unproven', notTheResult, { cause });
      throw new MillraceError('processing_failed', cannotMove, { cause });
    }
  }

  /** Removes everything. */
  async remove(): Promise<void> {
    await removeTree(this.#directory);
  }

  async #take(place: string, size: number): Promise<void> {
    const path = this.resultPath(place);
    if (await isSameFile(path, place)) {
      // It was completed in its place. rename(2) would leave it both names.
      await removeFile(path);
      await makeOurs(place, size);
      return;
    }
    const result = { name: basename(path), size };
    await takeFile(this.outputs, result, place).catch(async (error: unknown) => {
      if (!hasCode(error, new Set(['EXDEV']))) throw error;
      await copyFile(path, place);
      await makeOurs(place, size);
    });
  }

  /** Gives a file to a user, and to the group of children; to nobody where children run as the service's user. */
  async #give(path: string, owner: number | undefined, mode: number): Promise<void> {
    // A symbolic link fails here, and a FIFO is not waited for.
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

async function copyInstead(error: unknown, from: string, to: string): Promise<void> {
  if (!hasCode(error, unlinkable)) throw error;
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
}

async function moveInstead(error: unknown, from: string, to: string): Promise<void> {
  if (!hasCode(error, unlinkable)) throw error;
  await rename(from, to).catch((cause: unknown) => {
    if (!hasCode(cause, unlinkable)) throw cause;
    return copyFile(from, to, constants.COPYFILE_EXCL);
  });
}

async function isSameFile(path: string, other: string): Promise<boolean> {
  const [found, before] = [await lstat(path, { bigint: true }), await lstat(other, { bigint: true }).catch(ifMissing)];
  return before?.dev === found.dev && before.ino === found.ino;
}

/** Gives a result to the service alone, which is a file of that size with no other name. */
async function makeOurs(place: string, size: number): Promise<void> {
  const file = await openToRead(place, { size });
  try {
    await file.chown(process.getuid?.() ?? -1, process.getgid?.() ?? -1);
    await file.chmod(FILE_MODE);
  } finally {
    await file.close();
  }
}

function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  return error instanceof Error && 'code' in error && codes.has(String(error.code));
}

const cannotLink = 'An input that is still arriving could not be linked for the media engine.';
const cannotMove = 'The result could not be moved to its place. Start the same job again.';
const notTheResult =
  'The media engine left something else than the result that it announced. Start the same job again.';
