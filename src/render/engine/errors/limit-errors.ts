import { constants } from 'node:os';
import { MillraceError } from '../../../contract/errors.ts';

/** What to do about a result that is too large. */
export const smallerRemedy = 'The same job will fail again. Use a shorter input, or another output.ext.';

/** A result has more bytes than it may: a second try would end the same way. */
export function tooLargeError(what: string): MillraceError {
  return new MillraceError('processing_failed', `${what}. ${smallerRemedy}`, { retryable: false });
}

/** A result has grown over a limit. */
export function resultTooLargeError(maxBytes: number): MillraceError {
  return tooLargeError(`The result grew over the ${maxBytes} bytes that it may have`);
}

/** Completes a sentence about a process that cannot open a file. */
export const openFilesLimitText = 'cannot open another file, because too many are open on its machine';

/** What to do when the machine has no more of something. */
export const busyRemedy = 'Start the job again when the service is less busy.';

/** Whether a text names the errors for too many open files (open(2)), or says it in words. */
export function mentionsOpenFilesLimit(text: string): boolean {
  return /\bE[MN]FILE\b|too many open files/i.test(text);
}

/** Whether an error number is one of those. */
export function isOpenFilesLimitErrno(errno: number): boolean {
  return errno === constants.errno.EMFILE || errno === constants.errno.ENFILE;
}

/** A process has too many files open, or the machine has. */
export function tooManyOpenFilesError(cause?: unknown): MillraceError {
  return new MillraceError('processing_failed', `The media engine ${openFilesLimitText}. ${busyRemedy}`, { cause });
}
