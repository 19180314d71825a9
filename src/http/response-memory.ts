import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MillraceError } from '../contract/errors.ts';
import type { RefusalReason } from './connections/bounded-pool.ts';

/** Responses up to this size in bytes are not counted: what a connection holds besides takes as much. */
const UNCOUNTED_BYTES = 64 * 1024;
const RETRY_AFTER_S = 5;

/**
 * Makes a server count each large text that it makes for one response in the memory of its client, instead of what the
 * request held, until the client has read it or leaves. Documents that many responses share (`compress: false`) are not counted, nor are streams.
 */
export function addResponseMemory(app: FastifyInstance): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (!isText || request.routeOptions.config?.compress === false) {
      done(null, payload);
      return;
    }
    const bytes = Buffer.byteLength(payload);
    const refusal = bytes > UNCOUNTED_BYTES ? request.memory.resize(bytes) : undefined;
    if (refusal === undefined) done(null, payload);
    else done(responseError(refusal));
  });
}

/** Counts the smaller form of a response, whose size was `bytes`, if it is counted. */
export function shrinkResponse({ memory }: Pick<FastifyRequest, 'memory'>, bytes: number, smaller: number): void {
  if (bytes > UNCOUNTED_BYTES) memory.resize(Math.min(bytes, smaller));
}

function responseError(refusal: RefusalReason): MillraceError {
  const retryAfter = RETRY_AFTER_S;
  if (refusal === 'share') {
    const message =
      'Your address has too many large responses that it has not read. Read some of them, or try again later.';
    return new MillraceError('rate_limited', message, { retryAfter });
  }
  const message = `This node sends as many large responses as it can. Try again in ${RETRY_AFTER_S} seconds.`;
  return new MillraceError('service_unavailable', message, { retryAfter });
}
