import { MillraceError } from '../../contract/errors.ts';
import type { SourceResponse } from '../../platforms/platform.ts';
import { sleep } from '../../waiting/sleep.ts';

/** Maximum number of retries of one extraction. */
const MAX_RETRIES = 2;
/** Minimum time in milliseconds that the extraction must have left for a retry. */
const MIN_TIME_LEFT_MS = 8_000;
/**
 * Requests that took longer than this to fail are not retried, because the time is better spent on a platform's
 * fallbacks.
 */
const MAX_FAILURE_MS = 2_000;
const FIRST_DELAY_MS = 200;

/** The retry budget of one extraction. */
export interface RetryBudget {
  /**
   * Sends a request, and retries it after a transient failure: a connection that could not be opened or broke, or a
   * response with status 502, 503 or 504 without `Retry-After`. POST requests are retried too, because extractions only
   * send queries.
   *
   * @param waitForTurn Waits until the policy permits a request. This is not part of the time that a request takes.
   * @throws MillraceError of the last attempt; the signal's reason.
   */
  run(waitForTurn: () => Promise<void>, send: () => Promise<SourceResponse>): Promise<SourceResponse>;
}

/**
 * Creates the retry budget of an extraction. All requests of the extraction share it, so a platform with a fallback
 * chain sends two more requests in total, and not two more for each fallback.
 *
 * @param timeLeft Milliseconds that the extraction has left.
 * @param onRetry Called for each retry.
 */
export function createRetryBudget(
  timeLeft: () => number,
  signal: AbortSignal,
  onRetry: () => void,
  wait = (milliseconds: number): Promise<unknown> => sleep(milliseconds, signal),
): RetryBudget {
  let retries = 0;
  /** Waits before a retry, with exponential backoff and jitter. Returns whether to retry. */
  const waitToRetry = async (failureTime: number): Promise<boolean> => {
    if (retries >= MAX_RETRIES || failureTime > MAX_FAILURE_MS || timeLeft() < MIN_TIME_LEFT_MS || signal.aborted)
      return false;
    const longest = FIRST_DELAY_MS * 2 ** retries;
    retries += 1;
    onRetry();
    await wait(longest * (0.5 + Math.random() / 2));
    return true;
  };
  return {
    async run(waitForTurn, send) {
      for (;;) {
        await waitForTurn();
        const before = timeLeft();
        try {
          const response = await send();
          if (!isTransient(response) || !(await waitToRetry(before - timeLeft()))) return response;
        } catch (error) {
          const isBroken = error instanceof MillraceError && error.code === 'connection_error' && error.retryable;
          if (!isBroken || !(await waitToRetry(before - timeLeft()))) throw error;
        }
      }
    },
  };
}

function isTransient({ status, headers }: SourceResponse): boolean {
  return [502, 503, 504].includes(status) && headers['retry-after'] === undefined;
}
