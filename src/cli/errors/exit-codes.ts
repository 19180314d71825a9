import { MillraceApiError, MillraceClientError, MillraceRenderError } from '#client/errors.ts';
import { UsageError } from './command-errors.ts';
import { InterruptedError } from './interruption.ts';

/** The exit codes of commands. */
export const exitCodes = {
  success: { code: 0, description: 'It is done.' },
  failure: { code: 1, description: 'It failed; the message says why.' },
  usage: { code: 2, description: 'The command, a parameter or a job is not as it must be.' },
  unavailable: {
    code: 3,
    description: 'There is no such thing, or it is not open to the public. Trying again is no use.',
  },
  retryable: { code: 4, description: 'It failed for now: trying again later can help.' },
  denied: {
    code: 5,
    description: 'The service refuses the key, or the request can cost more credits than the key has left.',
  },
  interrupted: {
    code: 130,
    description: 'Ctrl-C (143 for SIGTERM). What was begun is put away, a download can go on.',
  },
} as const;

const denialCodes = new Set(['unauthorized', 'forbidden', 'invalid_user_details', 'quota_exceeded']);

/** Codes of renders that failed because there is no such job, or because the source refuses. */
const unavailableCodes = new Set(['not_found', 'source_refused', 'address_refused']);

/** Returns the exit code for an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof InterruptedError) return error.exitCode;
  if (error instanceof UsageError) return exitCodes.usage.code;
  if (error instanceof MillraceApiError) return exitCodeOfApiError(error);
  if (error instanceof MillraceRenderError && unavailableCodes.has(error.code)) return exitCodes.unavailable.code;
  if (error instanceof MillraceClientError && error.retryable) return exitCodes.retryable.code;
  return exitCodes.failure.code;
}

function exitCodeOfApiError({ code, statusCode, retryable }: MillraceApiError): number {
  if (denialCodes.has(code)) return exitCodes.denied.code;
  if (retryable) return exitCodes.retryable.code;
  if (statusCode === 400) return exitCodes.usage.code;
  return statusCode < 500 ? exitCodes.unavailable.code : exitCodes.failure.code;
}
