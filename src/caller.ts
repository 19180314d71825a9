import type { FastifyReply } from 'fastify';
import { MillraceError } from './contract/errors.ts';

/** Made once: an error takes its time, and every answer has a caller. */
const callerLeft = new MillraceError('connection_error', 'The caller has left.');

/** Aborted when the connection to the one who asked ends before the answer does. */
export function untilGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(callerLeft);
  });
  return gone.signal;
}
