import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorBody } from '../contract/envelope.ts';
import { MillraceError } from '../contract/errors.ts';
import { endSocket } from './connections/end-socket.ts';
import { inertHeaders } from './inert-headers.ts';

/** An error of the HTTP parser. */
interface ClientError extends Error {
  readonly code?: string;
}

/**
 * Responds to input that is not a valid request, in the envelope like all other responses, and closes the connection.
 * The error codes are those of Node (https://nodejs.org/api/errors.html) and, with the prefix HPE_, those of llhttp.
 */
export function rejectMalformedRequest(clientError: ClientError, socket: Socket): void {
  if (clientError.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(clientError);
    return;
  }
  const error = errorOf(clientError);
  const body = JSON.stringify({ error: errorBody(error), metadata: {} });
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(inertHeaders).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  endSocket(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}

function errorOf(clientError: ClientError): MillraceError {
  switch (clientError.code) {
    case 'HPE_HEADER_OVERFLOW':
      return refusal(
        431,
        'The URL and the headers together are too long. Send a shorter URL, or fewer or shorter headers.',
        clientError,
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refusal(408, 'The request did not arrive in time. Send it again.', clientError);
    default:
      return refusal(400, 'The request is not valid HTTP. Check its method, its URL and its headers.', clientError);
  }
}

function refusal(status: number, message: string, cause: Error): MillraceError {
  return new MillraceError('invalid_params', message, { status, cause, retryable: status === 408 });
}
