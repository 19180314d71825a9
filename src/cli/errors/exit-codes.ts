import { MillraceApiError, MillraceClientError, MillraceCollectionError, MillraceRenderError } from '#client/errors.ts';
import { CommandError, UsageError } from './command-errors.ts';
import { InterruptedError } from './interruption.ts';

/** The exit codes of commands. */
export const exitCodes = {
  success: { code: 0, description: 'Success.' },
  failure: { code: 1, description: 'Failure; see the error message.' },
  usage: { code: 2, description: 'Invalid command, parameter or job.' },
  unavailable: {
    code: 3,
    description: 'Not found, or not public. Trying again does not help.',
  },
  retryable: { code: 4, description: 'Temporary failure. Try again later.' },
  denied: {
    code: 5,
    description: 'The service rejects the key, or the request can cost more credits than the key has left.',
  },
  drifting: { code: 6, description: 'A probe shows that a platform has changed.' },
  refused: { code: 7, description: 'A platform refuses a probe, or cannot be reached.' },
  unverified: {
    code: 8,
    description:
      'A receipt is forged, its file is another one or was changed, or the audit log was changed in the database.',
  },
  untrusted: { code: 9, description: 'A receipt is signed with a key that is not among the trusted keys.' },
  interrupted: {
    code: 130,
    description: 'Interrupted by Ctrl-C (143: by SIGTERM). The command cleans up; a download can be resumed.',
  },
} as const;

const denialCodes = new Set(['unauthorized', 'forbidden', 'invalid_user_details', 'quota_exceeded']);

/** Error codes of renders that failed because there is no such job, or because the source refused the request. */
const unavailableCodes = new Set(['not_found', 'source_refused', 'address_refused', 'blocked']);

/** Statuses of requests that are wrong, too large or too long. */
const requestFaults = new Set([400, 413, 414]);

/** Returns the exit code for an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof InterruptedError) return error.exitCode;
  if (error instanceof UsageError) return exitCodes.usage.code;
  if (error instanceof CommandError) return (error.retryable ? exitCodes.retryable : exitCodes.failure).code;
  if (error instanceof MillraceApiError) return exitCodeOfApiError(error);
  if (error instanceof MillraceRenderError && unavailableCodes.has(error.code)) return exitCodes.unavailable.code;
  if (error instanceof MillraceCollectionError) return exitCodeOfCollectionError(error);
  if (error instanceof MillraceClientError && error.retryable) return exitCodes.retryable.code;
  return exitCodes.failure.code;
}

function exitCodeOfCollectionError({ fault }: MillraceCollectionError): number {
  return (fault === 'not_listed' ? exitCodes.unavailable : exitCodes.usage).code;
}

function exitCodeOfApiError({ code, statusCode, retryable }: MillraceApiError): number {
  if (denialCodes.has(code)) return exitCodes.denied.code;
  if (retryable) return exitCodes.retryable.code;
  if (requestFaults.has(statusCode)) return exitCodes.usage.code;
  return statusCode < 500 ? exitCodes.unavailable.code : exitCodes.failure.code;
}
