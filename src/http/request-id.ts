import { randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** The header of the ID in requests and in all responses. */
export const requestIdHeader = 'x-request-id';

/** The IDs that are kept: up to 128 printable ASCII characters without spaces and quotes (" ' `). */
const validId = /^[!#-&(-_a-~]{1,128}$/;

/** IDs of requests that ask for an upgrade. The WebSocket server only sees the requests of Node. */
const upgradeIds = new WeakMap<IncomingMessage, string>();

/**
 * Returns the ID of a request: the valid one in its header, or a new UUIDv7. Node joins repeated headers with a comma
 * and a space, so several IDs are not valid.
 */
export function requestIdOf(request: IncomingMessage): string {
  const received = request.headers[requestIdHeader];
  const id = typeof received === 'string' && validId.test(received) ? received : newRequestId();
  if (request.headers.upgrade !== undefined) upgradeIds.set(request, id);
  return id;
}

/** Returns a new ID, for input without a readable header. */
export function newRequestId(): string {
  return randomUUIDv7();
}

/** Returns the ID of a request for an upgrade, which the server may have received already. */
export function upgradeIdOf(request: IncomingMessage): string {
  return upgradeIds.get(request) ?? requestIdOf(request);
}

/** Sends the ID of each request in its response. Hijacked replies copy the header from their reply. */
export function addRequestIdHeader(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(requestIdHeader, request.id);
    done();
  });
}
