import { withInput } from '../../../contract/errors.ts';

/**
 * Thrown when the fast path does not support a file; the message is the reason for the log. The file may still be
 * valid: the media library supports far more files, and the engine uses it instead. This error never reaches the
 * remuxers' callers.
 */
export class FastPathDeclined extends Error {
  override readonly name = 'FastPathDeclined';
}

/** Declines the file for the given reason. */
export function decline(reason: string): never {
  throw new FastPathDeclined(reason);
}

/** Adds the number of an input, given by its index, to the decline reasons and errors that `work` throws. */
export function withInputNumber<Result>(input: number, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof FastPathDeclined
      ? new FastPathDeclined(`Input ${input + 1}: ${error.message}`)
      : withInput(error, input);
  }
}

/** Returns the result of `attempt`, or undefined if it declines. */
export function undefinedIfDeclined<Result>(attempt: () => Result): Result | undefined {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof FastPathDeclined) return undefined;
    throw error;
  }
}
