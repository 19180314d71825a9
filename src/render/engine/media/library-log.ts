import { constants } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AV_LOG_ERROR } from 'node-av/constants';
import { FFmpegError, Log } from 'node-av/lib';
import { type ErrorCode, MillraceError } from '../../../contract/errors.ts';
import { diskFullError, isDiskFullErrno } from '../errors/disk-full.ts';
import { isOpenFilesLimitErrno, tooLargeError, tooManyOpenFilesError } from '../errors/limit-errors.ts';
import { toPrintable } from '../errors/to-printable.ts';

/** Maximum number of distinct lines. The first ones name the cause; the rest repeat it. */
const maxLines = 8;
const maxLineLength = 200;

/** Collects FFmpeg's log of the current task. FFmpeg's functions return only error numbers, and log the reason. */
export class LibraryLog {
  readonly #lines: string[] = [];
  readonly #directory: string;

  /** Starts collecting the log. `directory`, the task's own, is removed from its lines. */
  constructor(directory: string) {
    this.#directory = directory;
    Log.setLevel(AV_LOG_ERROR);
    Log.setCallback((_level, message) => this.#add(message), { maxLevel: AV_LOG_ERROR });
  }

  /** Returns the lines so far. The log arrives with the next turn of the event loop, so this method waits for one. */
  async lines(): Promise<string> {
    await nextTurn();
    return this.#lines.join('; ');
  }

  /**
   * Creates an error from a description and FFmpeg's log lines, for the `result` of a function. If the machine has run
   * out of a resource, returns the error for that instead.
   */
  async createError(code: ErrorCode, what: string, result: number, remedy: string): Promise<MillraceError> {
    const lines = await this.lines();
    // FFmpeg returns system errors as negative numbers.
    if (isDiskFullErrno(-result)) return diskFullError(lines);
    if (isOpenFilesLimitErrno(-result)) return tooManyOpenFilesError(lines);
    if (-result === constants.errno.EFBIG) return tooLargeError('The result exceeded the maximum file size');
    const name = FFmpegError.strerror(result);
    const reason = lines === '' ? name : `${name}: ${lines}`;
    return new MillraceError(code, `${what} (${reason}). ${remedy}`, { reason });
  }

  #add(message: string): void {
    if (this.#lines.length >= maxLines) return;
    const line = toPrintable(message.replaceAll(`${this.#directory}/`, '')).slice(0, maxLineLength);
    if (line !== '' && !this.#lines.includes(line)) this.#lines.push(line);
  }
}
