import { MillraceError } from '../../contract/errors.ts';

/**
 * Seconds after which to retry. A rollout takes minutes, but the next request may already reach a node of the new
 * version.
 */
const RETRY_AFTER_S = 5;

/** Returns the error for something that a newer version sealed or stored and this one cannot read. */
export function newerVersionError(what: string, cause?: unknown): MillraceError {
  const message = `${what} needs a newer version of the service, which is being rolled out. Try again in a few seconds.`;
  return new MillraceError('service_unavailable', message, { retryAfter: RETRY_AFTER_S, cause });
}
