import { MillraceError } from '../../contract/errors.ts';

/** No host has spaces. */
const namesInput = /^The inputs |\binput \d/i;

/**
 * Adds what an error is about, and what to do, to the message of an error of the network, which knows only hosts. Other
 * errors stay as they are.
 *
 * @param name - as in `Source`: `Input 1`, `Segment 12 of 40 of input 1`.
 */
export function aboutSource(thrown: unknown, name: string): unknown {
  if (!(thrown instanceof MillraceError) || namesInput.test(thrown.message)) return thrown;
  const { code, message, status, retryable, retryAfter } = thrown;
  const sentence = message.endsWith('.') ? message : `${message}.`;
  const remedy = retryable ? 'Start the same job again later.' : 'Correct the link and start again.';
  return new MillraceError(code, `${name}: ${sentence} ${remedy}`, {
    cause: thrown,
    status,
    retryable,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}
