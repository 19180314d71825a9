import { MillraceError } from '../contract/errors.ts';
import type { SourceAnswer } from '../platforms/platform.ts';
import { pause } from '../waiting/pause.ts';

/** Requests of one extraction that may be sent once more. */
const MOST = 2;
/** Milliseconds that must be left of the extraction for another try. */
const NEEDED_MS = 8_000;
/** What takes longer than this to fail is not asked again: the time is better spent on a platform's other ways. */
const QUICKLY_MS = 2_000;
const FIRST_WAIT_MS = 200;

/** What one extraction may send once more. */
export interface Retries {
  /**
   * Sends a request, and sends it again where it met a passing fault: a connection that could not be made or broke, or
   * an answer 502, 503 or 504 that names no time to come back. Every POST of an extraction is a question, which can be
   * asked twice.
   *
   * @throws MillraceError whatever the last try threw; the signal's reason.
   */
  run(send: () => Promise<SourceAnswer>): Promise<SourceAnswer>;
}

/**
 * Opens the budget of an extraction. It is one for all its requests, so that platforms that go through a chain of ways
 * send two more in all, and not two more on each way.
 *
 * @param timeLeft Milliseconds that the extraction has left.
 * @param count Hears of each retry.
 */
export function openRetries(
  timeLeft: () => number,
  signal: AbortSignal,
  count: () => void,
  wait = (milliseconds: number): Promise<unknown> => pause(milliseconds, signal),
): Retries {
  let used = 0;
  /** Waits for the next try, ever longer, and never as long as another request that failed at the same moment. */
  const another = async (took: number): Promise<boolean> => {
    if (used >= MOST || took > QUICKLY_MS || timeLeft() < NEEDED_MS || signal.aborted) return false;
    const longest = FIRST_WAIT_MS * 2 ** used;
    used += 1;
    count();
    await wait(longest * (0.5 + Math.random() / 2));
    return true;
  };
  return {
    async run(send) {
      for (;;) {
        const before = timeLeft();
        try {
          const answer = await send();
          if (!isPassing(answer) || !(await another(before - timeLeft()))) return answer;
        } catch (error) {
          const broke = error instanceof MillraceError && error.code === 'connection_error' && error.retryable;
          if (!broke || !(await another(before - timeLeft()))) throw error;
        }
      }
    },
  };
}

function isPassing({ status, headers }: SourceAnswer): boolean {
  return [502, 503, 504].includes(status) && headers['retry-after'] === undefined;
}
