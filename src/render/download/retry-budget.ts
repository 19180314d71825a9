import { MillraceError } from '../../contract/errors.ts';
import { withSourceName } from './source-error.ts';

const MAX_FAILURES_IN_A_ROW = 6;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5_000;

/** Limits the retries of a fetch: unlimited while bytes arrive, but only a few in a row without progress. */
export interface RetryBudget {
  /** Records that bytes have arrived. */
  recordProgress(): void;
  /**
   * Waits before the next attempt. Rethrows an error that is permanent or has lasted too long.
   *
   * @throws The error itself, or the signal's reason if the download ends in the meantime.
   */
  waitBeforeRetry(error: unknown): Promise<void>;
}

/** Waits for some milliseconds; throws the signal's reason when it is aborted. */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** Parameters and callbacks of a fetch's retries. */
export interface RetryContext {
  /** Name of the resource in messages: `Input 1`, `Segment 12 of 40 of input 1`. */
  readonly name: string;
  readonly signal: AbortSignal;
  readonly pause: Pause;
  /** Called with the name and the error before a retry; without an error once bytes arrive again. */
  readonly onFailure: (name: string, failure: MillraceError | undefined) => void;
}

/** Creates the budget of one fetch. The errors that it throws name the source. */
export function createRetryBudget({ name, signal, pause, onFailure }: RetryContext): RetryBudget {
  let failures = 0;
  return {
    recordProgress() {
      if (failures > 0) onFailure(name, undefined);
      failures = 0;
    },
    async waitBeforeRetry(cause) {
      signal.throwIfAborted();
      const error = withSourceName(cause, name);
      if (!(error instanceof MillraceError) || !error.retryable) throw error;
      failures += 1;
      onFailure(name, error);
      if (failures >= MAX_FAILURES_IN_A_ROW) throw error;
      const wait = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
      // Jitter, so that the connections of one download do not all retry at the same moment.
      await pause(wait * (0.5 + Math.random() / 2), signal);
    },
  };
}
