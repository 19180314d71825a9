import { MillraceError } from '../../contract/errors.ts';

/** The message for an ID without a job. */
export const jobNotFoundMessage = 'No job has this ID: it was never started, or has expired.';

/** Returns the error for a call whose ID has no job. */
export function jobNotFoundError(): MillraceError {
  return new MillraceError('not_found', jobNotFoundMessage);
}
