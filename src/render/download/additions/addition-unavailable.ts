import type { MillraceError } from '../../../contract/errors.ts';
import { firstSentence } from '../first-sentence.ts';

/** Thrown when a file that a job adds to its result is not available. The message is the reason, as a clause. */
export class AdditionUnavailable extends Error {
  override readonly name = 'AdditionUnavailable';
}

/**
 * Returns the reason of a failed download as a clause: `cdn.example.com returned 404`.
 *
 * @param name The name of the file in the error's message.
 */
export function reasonFor({ message }: MillraceError, name: string): string {
  let reason = firstSentence(message).replace(/\.$/, '');
  while (reason.startsWith(name) && reason.includes(': ')) reason = reason.slice(reason.indexOf(': ') + 2);
  return reason.replace(/^The (?=connection |host )/, 'the ');
}
