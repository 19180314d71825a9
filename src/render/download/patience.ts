import { MillraceError } from '../../contract/errors.ts';
import { aboutSource } from './about-source.ts';
import type { Source } from './source.ts';

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

/** Makes patience for a source, which ends with its signal. Its errors say what they are about. */
export function createPatience(source: Pick<Source, 'name' | 'signal' | 'pause' | 'onTrouble'>): Patience {
  const { name, signal, pause, onTrouble } = source;
  let failures = 0;
  return {
    progress() {
      if (failures > 0) onTrouble(name, undefined);
      failures = 0;
    },
    async after(thrown) {
      signal.throwIfAborted();
      const error = aboutSource(thrown, name);
      if (!(error instanceof MillraceError) || !error.retryable) throw error;
      failures += 1;
      onTrouble(name, error);
      if (failures >= MAX_FAILURES_IN_A_ROW) throw error;
      const wait = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
      // Jitter, so that the connections of one download do not come back all at once.
      await pause(wait * (0.5 + Math.random() / 2), signal);
    },
  };
}
