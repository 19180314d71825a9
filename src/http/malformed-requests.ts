import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import { errorBody } from '../contract/envelope.ts';
import { MillraceError } from '../contract/errors.ts';
import { noteAccess, noteOutsideStatus, pendingRequest } from './access-log.ts';
import { endSocket } from './connections/end-socket.ts';
import { inertHeaders } from './inert-headers.ts';
import { newRequestId, requestIdHeader } from './request-id.ts';

/** An error of the HTTP parser. */
interface ClientError extends Error {
  readonly code?: string;
}

/**
 * Responds to input that is not a valid request, or that is refused before a route is known, in the envelope like all other responses, and closes the connection.
 * The error codes are those of Node (https://nodejs.org/api/errors.html) and, with the prefix HPE_, those of llhttp.
 *
 * If the input belongs to a request that has no response yet, such as a malformed body, the response has the ID of that
 * request.
 *
 * @param log Receives a line like those of requests, unless such a request has a line itself.
 */
export function rejectMalformedRequest(
  clientError: ClientError,
  socket: Duplex,
  log: Pick<FastifyBaseLogger, 'info'>,
): void {
  if (clientError.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(clientError);
    return;
  }
  const error = errorOf(clientError);
  const request = pendingRequest(socket);
  const requestId = request?.id ?? newRequestId();
  const body = JSON.stringify({ error: errorBody(error, requestId), metadata: {} });
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(inertHeaders).map(([name, value]) => `${name}: ${value}`),
    `${requestIdHeader}: ${requestId}`,
    ...(error.retryAfter === undefined ? [] : [`Retry-After: ${error.retryAfter}`]),
    'Connection: close',
  ];
  if (request === undefined) {
    log.info({ requestId, route: 'malformed', status: error.status, code: error.code }, 'request');
  } else {
    noteOutsideStatus(request.raw, error.status);
    noteAccess(request, { code: error.code });
  }
  endSocket(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}

function errorOf(clientError: ClientError): MillraceError {
  if (clientError instanceof MillraceError) return clientError;
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
