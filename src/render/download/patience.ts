import { MillraceError } from '../../contract/errors.ts';

const MAX_FAILURES_IN_A_ROW = 6;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5_000;

/** Decides how often a fetch that fails is tried again: as long as it gets on, and a few times in a row when not. */
export interface Patience {
  /** Bytes have arrived. */
  progress(): void;
  /**
   * Waits before the next try. Rethrows an error that is permanent, or has lasted too long.
   *
   * @throws The error itself; the signal's reason if the download ends meanwhile.
   */
  after(error: unknown): Promise<void>;
}

/** Waits for some milliseconds; throws the signal's reason when it is aborted. */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** Makes patience that ends with the signal. */
export function createPatience({ signal, pause }: { signal: AbortSignal; pause: Pause }): Patience {
  let failures = 0;
  return {
    progress() {
      failures = 0;
    },
    async after(error) {
      signal.throwIfAborted();
      if (!(error instanceof MillraceError) || !error.retryable) throw error;
      failures += 1;
      if (failures >= MAX_FAILURES_IN_A_ROW) throw error;
      const wait = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
      // Jitter, so that the connections of one download do not come back all at once.
      await pause(wait * (0.5 + Math.random() / 2), signal);
    },
  };
}
