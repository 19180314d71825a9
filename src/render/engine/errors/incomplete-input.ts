import { MillraceError } from '../../../contract/errors.ts';

/**
 * Creates the error about an input that is shorter than it declares.
 *
 * @param what - what is missing, as a sentence without its full stop.
 * @param hasStatedSize - whether the source stated the size of the file, and all of its bytes have arrived. Another
 * download would then bring the same file, so the error is not retryable.
 */
export function incompleteInputError(what: string, hasStatedSize: boolean): MillraceError {
  const remedy = hasStatedSize
    ? 'The download has all bytes of the file, so use another source, or the operation no_process to get it unchanged.'
    : 'Start the job again; if it fails again, use another source.';
  return new MillraceError('input_incomplete', `${what}. ${remedy}`, hasStatedSize ? { retryable: false } : {});
}
