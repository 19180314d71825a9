import { MillraceError } from '../../contract/errors.ts';

/** Matches messages that already name an input. Hosts contain no spaces, so a host never matches. */
const namesInput = /^The inputs |\binput \d/i;

/**
 * Adds the source name and the next step to a network error, which names only hosts. Returns other errors unchanged.
 *
 * @param name - as in `Source`: `Input 1`, `Segment 12 of 40 of input 1`.
 */
export function withSourceName(error: unknown, name: string): unknown {
  if (!(error instanceof MillraceError) || namesInput.test(error.message)) return error;
  const { code, message, status, retryable, retryAfter } = error;
  const sentence = message.endsWith('.') ? message : `${message}.`;
  const remedy = retryable ? 'Start the same job again later.' : 'Correct the link and start the job again.';
  return new MillraceError(code, `${name}: ${sentence} ${remedy}`, {
    cause: error,
    status,
    retryable,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}
