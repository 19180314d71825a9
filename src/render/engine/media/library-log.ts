import { constants } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AV_LOG_ERROR } from 'node-av/constants';
import { FFmpegError, Log } from 'node-av/lib';
import { type ErrorCode, MillraceError } from '../../../contract/errors.ts';
import { diskFullError, isDiskFullErrno } from '../errors/disk-full.ts';
import { isOpenFilesLimitErrno, tooLargeError, tooManyOpenFilesError } from '../errors/limit-errors.ts';
import { toPrintable } from '../errors/to-printable.ts';

/** Distinct lines kept: the first ones name the cause, the rest are its echo. */
const maxLines = 8;
const maxLineLength = 200;

/** FFmpeg's log of the current task: its functions return bare numbers, and log the reason. */
export class LibraryLog {
  readonly #lines: string[] = [];
  readonly #directory: string;

  /** Starts to collect the log; `directory`, the task's own, is removed from its lines. */
  constructor(directory: string) {
    this.#directory = directory;
    Log.setLevel(AV_LOG_ERROR);
    Log.setCallback((_level, message) => this.#add(message), { maxLevel: AV_LOG_ERROR });
  }

  /** The lines so far. The log arrives with the event loop's next turn, so this takes one. */
  async lines(): Promise<string> {
    await nextTurn();
    return this.#lines.join('; ');
  }

  /**
   * An error that says what happened and repeats FFmpeg's words, for `result` as a function returned it. If the machine is
   * out of something, the error says that instead.
   */
  async createError(code: ErrorCode, what: string, result: number, remedy: string): Promise<MillraceError> {
    const lines = await this.lines();
    // FFmpeg returns the errors of the system as negative numbers.
    if (isDiskFullErrno(-result)) return diskFullError(lines);
    if (isOpenFilesLimitErrno(-result)) return tooManyOpenFilesError(lines);
    if (-result === constants.errno.EFBIG) return tooLargeError('The result grew over the bytes that a file may have');
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
