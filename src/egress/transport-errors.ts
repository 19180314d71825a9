import { errors } from 'undici';
import { MillraceError } from '../contract/errors.ts';

/** Returns the error for a failed connection. It names only the host: the rest of a URL may be a secret. */
export function transportError(error: unknown, host: string): MillraceError {
  if (error instanceof MillraceError) return error;
  if (
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError ||
    error instanceof errors.ConnectTimeoutError
  ) {
    return new MillraceError('operation_timeout', `${host} did not answer in time.`, { cause: error });
  }
  return new MillraceError('connection_error', `The connection to ${host} failed: ${describeFailure(error)}.`, {
    cause: error,
  });
}

/** Describes why a connection failed, as the end of a sentence. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'its name does not resolve';
    case 'ECONNREFUSED':
      return 'it refuses connections';
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return 'it was closed before the answer was complete';
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      return 'the answer was not as long as announced';
    default:
      return code === '' ? error.message : code;
  }
}
