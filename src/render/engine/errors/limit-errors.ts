import { constants } from 'node:os';
import { MillraceError } from '../../../contract/errors.ts';

/** Remedy for a result that is too large. */
export const smallerRemedy = 'Use a shorter input or another output.ext; the same job would fail again.';

/**
 * Creates the error for a result that exceeds its size limit. It is not retryable: a second attempt would fail in the
 * same way.
 */
export function tooLargeError(what: string): MillraceError {
  return new MillraceError('processing_failed', `${what}. ${smallerRemedy}`, { retryable: false });
}

/** Creates the error for a result that has grown beyond the given limit. */
export function resultTooLargeError(maxBytes: number): MillraceError {
  return tooLargeError(`The result exceeded its limit of ${maxBytes} bytes`);
}

/** Completes a sentence about a process that cannot open a file. */
export const openFilesLimitText = 'cannot open another file, because too many are open on its machine';

/** Remedy for a machine that has run out of a resource. */
export const busyRemedy = 'Start the job again when the service is less busy.';

/** Whether a text contains an error name (open(2)) or a phrase that means too many open files. */
export function mentionsOpenFilesLimit(text: string): boolean {
  return /\bE[MN]FILE\b|too many open files/i.test(text);
}

/** Whether an error number means too many open files. */
export function isOpenFilesLimitErrno(errno: number): boolean {
  return errno === constants.errno.EMFILE || errno === constants.errno.ENFILE;
}

/** Creates the error for too many open files in the process or on the machine. */
export function tooManyOpenFilesError(cause?: unknown): MillraceError {
  return new MillraceError('processing_failed', `The media engine ${openFilesLimitText}. ${busyRemedy}`, { cause });
}
