import { maxHeaderSize } from 'node:http';
import { errors } from 'undici';
import { MillraceError } from '../contract/errors.ts';

/** Returns the error for a failed connection. It names only the host, because the rest of a URL may be a secret. */
export function transportError(error: unknown, host: string): MillraceError {
  if (error instanceof MillraceError) return error;
  if (
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError ||
    error instanceof errors.ConnectTimeoutError
  ) {
    return new MillraceError('operation_timeout', `${host} took too long to respond.`, { cause: error });
  }
  return new MillraceError('connection_error', `The connection to ${host} failed: ${describeFailure(error)}.`, {
    cause: error,
  });
}

/** Returns the error for a response that violates the protocol. */
export function malformedResponse(why: string): Error {
  return new errors.HTTPParserError(`the response is malformed: ${why}`);
}

/** Describes why a connection failed, as the end of a sentence. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Its code names only the place of the fault.
  if (error instanceof errors.HTTPParserError) return error.message;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'host name not found';
    case 'ECONNREFUSED':
      return 'connection refused';
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return 'connection closed before the response was complete';
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      return 'response length differs from its Content-Length';
    case 'UND_ERR_HEADERS_OVERFLOW':
      return `the headers of the response are larger than ${maxHeaderSize} bytes`;
    default:
      return code === '' ? error.message : code;
  }
}
