import type { FastifyReply } from 'fastify';
import { MillraceError } from '../contract/errors.ts';

/**
 * The reason of every disconnect signal. It is created once, because an error with its stack is costly and every
 * response needs one.
 */
const callerDisconnected = new MillraceError('connection_error', 'The caller has disconnected.');

/** Returns a signal that is aborted when the caller disconnects before the response is complete. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  // The event is emitted once; `once` would add the cost of removing the listener to every response.
  reply.raw.on('close', () => {
    if (!reply.raw.writableFinished) controller.abort(callerDisconnected);
  });
  return controller.signal;
}

/** Whether the caller disconnected before the response was complete. */
export function hasDisconnected({ raw }: FastifyReply): boolean {
  return raw.destroyed && !raw.writableFinished;
}
