import { MillraceApiError, MillraceClientError, MillraceRenderError } from '#client/errors.ts';
import { Interrupted } from './interruption.ts';
import { UsageError } from './usage-error.ts';

/** What the number means that a command ends with. */
export const exitCodes = {
  fine: { code: 0, meaning: 'It is done.' },
  failure: { code: 1, meaning: 'It failed; the message says why.' },
  usage: { code: 2, meaning: 'The command, a parameter or a job is not as it must be.' },
  unavailable: { code: 3, meaning: 'There is no such thing, or it is not open to the public. Trying again is no use.' },
  retryable: { code: 4, meaning: 'It failed for now: trying again later can help.' },
  refused: {
    code: 5,
    meaning: 'The service refuses the key, or the request can cost more credits than the key has left.',
  },
  interrupted: { code: 130, meaning: 'Ctrl-C (143 for SIGTERM). What was begun is put away, a download can go on.' },
} as const;

const refusals = new Set(['unauthorized', 'forbidden', 'invalid_user_details', 'quota_exceeded']);

/** Codes of renders that failed because there is no such job, or because the source refuses. */
const unavailable = new Set(['not_found', 'source_refused', 'address_refused']);

/** The number that a command ends with after an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof Interrupted) return error.exitCode;
  if (error instanceof UsageError) return exitCodes.usage.code;
  if (error instanceof MillraceApiError) return codeOfRefusal(error);
  if (error instanceof MillraceRenderError && unavailable.has(error.code)) return exitCodes.unavailable.code;
  if (error instanceof MillraceClientError && error.retryable) return exitCodes.retryable.code;
  return exitCodes.failure.code;
}

function codeOfRefusal({ code, statusCode, retryable }: MillraceApiError): number {
  if (refusals.has(code)) return exitCodes.refused.code;
  if (retryable) return exitCodes.retryable.code;
  if (statusCode === 400) return exitCodes.usage.code;
  return statusCode < 500 ? exitCodes.unavailable.code : exitCodes.failure.code;
}
