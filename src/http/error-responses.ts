import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { bodyTooLargeError } from '../contract/body-too-large.ts';
import { failureBody, retryAfterOf } from '../contract/envelope.ts';
import { MillraceError, toMillraceError } from '../contract/errors.ts';
import { noteAccess } from './access-log.ts';
import { MAX_DISCARDED_BYTES } from './connections/serial-requests.ts';

/** Maximum length of a URL in characters. */
export const MAX_URL_LENGTH = 8_192;

/** Headers of a file, which an error in its place must not have. */
const fileHeaders = [
  ...['accept-ranges', 'content-disposition', 'content-encoding', 'content-length', 'content-range', 'content-type'],
  ...['etag', 'last-modified', 'repr-digest'],
];

/** Responds with anything that was thrown while a request was handled. Faults of the service are logged. */
export function sendError(cause: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = convertFrameworkError(cause, request) ?? toMillraceError(cause);
  // A node that stops or drains, or that is overloaded, refuses requests. Their own lines in the log say enough.
  const isRefusal = error.code === 'service_unavailable' && error.cause === undefined;
  if (error.origin === 'service' && !isRefusal) request.log.error({ err: cause }, 'a request failed');
  respondWith(error, request, reply);
}

/** Responds with an error. */
export function respondWith(error: MillraceError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  noteAccess(request, { code: error.code });
  const retryAfter = retryAfterOf(error);
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  discardFile(reply);
  stateConnection(error, request, reply);
  return reply.code(error.status).send(errorBodyFor(error, request));
}

/**
 * States whether the connection remains open after a refused body. The framework would close it, even if the body has
 * arrived in full or if its rest is short; a long rest is not read.
 */
function stateConnection({ code }: MillraceError, { headers, raw }: FastifyRequest, reply: FastifyReply): void {
  const size = Number(headers['content-length']);
  if (!raw.complete && size > MAX_DISCARDED_BYTES) reply.header('connection', 'close');
  else if (code === 'invalid_body' || code === 'body_too_large') {
    const isShort = raw.complete || size <= MAX_DISCARDED_BYTES;
    if (isShort && reply.raw.shouldKeepAlive) reply.removeHeader('connection');
  }
}

/** Removes the headers of a file that failed before its first byte. The framework has set them on the response already. */
function discardFile(reply: FastifyReply): void {
  if (!reply.hasHeader('content-type')) return;
  for (const name of fileHeaders) {
    reply.removeHeader(name);
    reply.raw.removeHeader(name);
  }
  reply.header('cache-control', 'no-store');
}

/** Returns the body of an error response. The extraction API uses its envelope for errors too. */
function errorBodyFor(error: MillraceError, { url, id }: FastifyRequest) {
  const body = failureBody(error, id);
  return /^\/(?:api\/|files\/|admin\/|mcp\b)/.test(url) ? body : { ...body, metadata: {} };
}

/** Creates the error for a URL that is too long. */
export function urlTooLongError(cause?: Error): MillraceError {
  const message = `The URL exceeds the maximum of ${MAX_URL_LENGTH} characters.`;
  return new MillraceError('invalid_params', message, { status: 414, cause });
}

/** Converts errors that the framework throws before a route is reached. */
function convertFrameworkError(cause: unknown, request: FastifyRequest): MillraceError | undefined {
  if (!(cause instanceof Error) || !('statusCode' in cause)) return undefined;
  const { statusCode = 500, code } = cause as FastifyError;
  if (statusCode === 413) return bodyTooLargeError('request body', request.routeOptions.bodyLimit, cause);
  if (statusCode === 415) {
    const message = 'Send the body as JSON, with Content-Type: application/json.';
    return new MillraceError('invalid_body', message, { cause, status: 415, fields: [{ path: '', message }] });
  }
  if (statusCode >= 500) return undefined;
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return urlTooLongError(cause);
  if (code === 'FST_ERR_BAD_URL') {
    const message =
      'The path of the URL is incorrectly encoded: it contains % without two hexadecimal digits, or invalid UTF-8.';
    return new MillraceError('invalid_params', message, { cause });
  }
  const inBody = code?.startsWith('FST_ERR_CTP') || cause instanceof SyntaxError;
  const message = inBody ? `The body is not valid JSON: ${cause.message}` : cause.message;
  return new MillraceError(inBody ? 'invalid_body' : 'invalid_params', message, {
    cause,
    status: statusCode,
    ...(inBody ? { fields: [{ path: '', message }] } : {}),
  });
}
