import type { FastifyRequest } from 'fastify';
import type { RequestOrigin } from '../contract/request-origin.ts';

/** Returns what a job remembers of the request that starts it. */
export function requestOriginOf(request: FastifyRequest): RequestOrigin {
  return { requestId: request.id };
}
