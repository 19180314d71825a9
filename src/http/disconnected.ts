import type { FastifyReply } from 'fastify';
import { MillraceError } from '../contract/errors.ts';

/** Made once: an error takes its time, and every answer has a caller. */
const callerLeft = new MillraceError('connection_error', 'The caller has left.');

/** Aborted when the connection to the one who asked ends before the answer does. */
export function untilGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  // It is emitted once; `once` would cost every answer the removal of the listener.
  reply.raw.on('close', () => {
    if (!reply.raw.writableFinished) gone.abort(callerLeft);
  });
  return gone.signal;
}

/** Whether the connection to the caller ended before the answer did. */
export function hasLeft({ raw }: FastifyReply): boolean {
  return raw.destroyed && !raw.writableFinished;
}
