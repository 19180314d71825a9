import { MillraceError } from '../../contract/errors.ts';
import type { JobState } from '../../contract/job-status.ts';
import { cancelledError } from '../../contract/shared-constants.ts';

/** The outcome of a cancel call. `already_finished`: the job had ended before. */
export type CancelOutcome = 'cancelled' | 'already_finished';

/** The state that decides the outcome of a cancel call. */
export interface CancellableJob {
  readonly owner: string;
  readonly state: JobState;
  readonly error: string | null;
}

/**
 * Returns the outcome of a cancel call for a finished job, which stays unchanged; undefined for a job that the call
 * ends.
 *
 * @throws MillraceError `forbidden` if the ID belongs to another owner.
 */
export function outcomeIfFinished(
  { owner, state, error }: CancellableJob,
  id: string,
  caller: string,
): CancelOutcome | undefined {
  if (owner !== caller) throw notOwnerError(id);
  if (state === 'failed' && error === cancelledError) return 'cancelled';
  return state === 'failed' || state === 'done' ? 'already_finished' : undefined;
}

/** The failure of a cancelled job. */
export function jobCancelledError(): MillraceError {
  return new MillraceError('cancelled', cancelledError);
}

/** The failure of a job that an administrator cancelled. */
export function cancelledByOperatorError(reason: string): MillraceError {
  return new MillraceError('cancelled', `Cancelled by the operator of the service: ${reason}`);
}

/** Returns the error of a call that cancels, deletes or retries a job of another owner. */
export function notOwnerError(id: string): MillraceError {
  const message = `Job ${id} was started by someone else. Use the key or URL that started it.`;
  return new MillraceError('forbidden', message);
}
