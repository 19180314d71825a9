import { MillraceError } from '../../contract/errors.ts';

/** The message about an id that no job has. */
export const jobNotFoundMessage = 'No job has this id: it was never started, or has expired.';

/** The error of a call that names no job. */
export function jobNotFoundError(): MillraceError {
  return new MillraceError('not_found', jobNotFoundMessage);
}
