import { withInput } from '../../../contract/errors.ts';

/**
 * A file that the fast path does not take, with the reason in words for the log. It says nothing against the file: the
 * engine, which knows far more, has to look at it. Never reaches a caller of the remuxers.
 */
export class FastPathDeclined extends Error {
  override readonly name = 'FastPathDeclined';
}

/** Gives the file up. */
export function decline(reason: string): never {
  throw new FastPathDeclined(reason);
}

/** Adds an input, counted from 0, to the reasons to decline and the errors that `work` throws. */
export function withInputNumber<Result>(input: number, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof FastPathDeclined
      ? new FastPathDeclined(`Input ${input + 1}: ${error.message}`)
      : withInput(error, input);
  }
}

/** What `read` returns; undefined if it declines. */
export function undefinedIfDeclined<Result>(attempt: () => Result): Result | undefined {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof FastPathDeclined) return undefined;
    throw error;
  }
}
