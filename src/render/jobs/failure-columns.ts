import { type ErrorCode, errorCatalogue, type MillraceError } from '../../contract/errors.ts';
import { type JobFailure, jobFailure, noFailure } from '../../contract/job-failure.ts';
import type { JobState } from '../../contract/job-status.ts';
import { cancelledError } from '../../contract/shared-constants.ts';

/** The columns of a job that describe its failure. */
export interface FailureColumns {
  readonly error: string | null;
  readonly error_code: ErrorCode | null;
  readonly retryable: boolean | null;
  readonly error_input: number | null;
}

/** The columns of {@link FailureColumns} as SQL, in the order of {@link failureValues}. */
export const failureColumns = 'error, error_code, retryable, error_input';

/**
 * Converts an error to the columns of a job's failure; without an error, to the values of a job that has not failed.
 * Messages may quote what a source has sent. A PostgreSQL text cannot contain the character 0, which is replaced.
 */
export function toFailureColumns(error?: MillraceError): FailureColumns {
  const failure = error === undefined ? noFailure : jobFailure(error);
  const { error: message, error_code, retryable, input: error_input } = failure;
  return { error: message?.replaceAll('\0', '\ufffd') ?? null, error_code, retryable, error_input };
}

/** Returns the values of {@link failureColumns}; see {@link toFailureColumns}. */
export function failureValues(
  error?: MillraceError,
): readonly [string | null, string | null, boolean | null, number | null] {
  const columns = toFailureColumns(error);
  return [columns.error, columns.error_code, columns.retryable, columns.error_input];
}

/**
 * Returns the failure of a job. Versions before migration 0009 stored only the message. Their jobs, which last a day at
 * most, get the code `cancelled` if the message matches, or else `other`.
 */
export function failureFromColumns(row: FailureColumns & { readonly state: JobState }): JobFailure {
  if (row.state !== 'failed') return noFailure;
  const code = row.error_code ?? (row.error === cancelledError ? 'cancelled' : 'other');
  return {
    error: row.error,
    error_code: code,
    retryable: row.retryable ?? errorCatalogue[code].retryable,
    input: row.error_input,
  };
}
