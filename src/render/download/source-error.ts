import { MillraceError } from '../../contract/errors.ts';

/** No host has spaces. */
const namesInput = /^The inputs |\binput \d/i;

/**
 * Adds the name of the source, and what to do, to a network error, which names only hosts. Returns other errors
 * unchanged.
 *
 * @param name - as in `Source`: `Input 1`, `Segment 12 of 40 of input 1`.
 */
export function withSourceName(error: unknown, name: string): unknown {
  if (!(error instanceof MillraceError) || namesInput.test(error.message)) return error;
  const { code, message, status, retryable, retryAfter } = error;
  const sentence = message.endsWith('.') ? message : `${message}.`;
  const remedy = retryable ? 'Start the same job again later.' : 'Correct the link and start again.';
  return new MillraceError(code, `${name}: ${sentence} ${remedy}`, {
    cause: error,
    status,
    retryable,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}
