import { MillraceError } from '../../contract/errors.ts';

/** The failure of a job whose stored file is missing or damaged. */
export function fileLost(): MillraceError {
  const message = 'The stored file of this job is missing or damaged. Start the same job again.';
  return new MillraceError('file_lost', message);
}
