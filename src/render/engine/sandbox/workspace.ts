import { chownSync, constants, mkdirSync, mkdtempSync } from 'node:fs';
import { chmod, chown, copyFile, link, lstat, open, rename, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { MillraceError } from '../../../contract/errors.ts';
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
    await this.#share(path);
  }

  /**
   * Lets the child read an input that is still being written.
   *
   * @throws An error of the file system; also where it has no links.
   */
  async admitGrowingInput(at: number, original: string): Promise<void> {
    const path = this.inputPath(at, original);
    await link(original, path);
    await this.#share(path);
  }

  /**
   * Lets the child complete a file that lies at the result's place already.
   *
   * @throws An error of the file system; also where it has no links.
   */
  async admitResult(place: string): Promise<void> {
    const path = this.resultPath(place);
    await link(place, path);
    if (this.#user !== undefined) await chown(path, this.#user, childGroup);
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
      if (!(await this.#take(place, bytes))) throw notTheResult(bytes);
    } catch (cause) {
      if (cause instanceof MillraceError) throw cause;
      throw new MillraceError('processing_failed', cannotMove, { cause });
    }
  }

  /** Removes everything. */
  async remove(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #take(place: string, bytes: number): Promise<boolean> {
    const path = this.resultPath(place);
    const found = await lstat(path);
    const before = await lstat(place).catch(ifMissing);
    // A result that was completed in its place has two names, of which rename(2) would leave both.
    const inPlace = before?.dev === found.dev && before.ino === found.ino;
    if (!found.isFile() || found.nlink !== (inPlace ? 2 : 1) || found.size !== bytes) return false;
    if (this.#user !== undefined) await chown(path, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
    await chmod(path, 0o600);
    if (inPlace) await rm(path);
    else await rename(path, place);
    return true;
  }

  /** Several children may read one file at a time, so it goes to the group that they share. */
  async #share(path: string): Promise<void> {
    // A symbolic link fails here, and a FIFO is not waited for.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (this.#user === undefined) return;
      await file.chown(process.getuid?.() ?? 0, childGroup);
      await file.chmod(0o640);
    } finally {
      await file.close();
    }
  }
}

async function copyInstead(error: unknown, from: string, to: string): Promise<void> {
  if (!(error instanceof Error && 'code' in error && unlinkable.has(String(error.code)))) throw error;
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
}

const cannotMove = 'The result could not be moved to its place. Start the same job again.';

function notTheResult(bytes: number): MillraceError {
  return new MillraceError(
    'result_unproven',
    `The media engine announced a result of ${bytes} bytes and left something else. Start the same job again.`,
  );
}
