import { sleep } from '../../../waiting/sleep.ts';

const PAUSE_MS = 400;

/** Waits between two attempts. */
export type Pause = (signal: AbortSignal) => Promise<void>;

/**
 * Waits 200 to 600 milliseconds, so that the retries of concurrent extractions do not synchronise.
 *
 * @throws The signal's reason.
 */
export const shortPause: Pause = async (signal) => {
  await sleep(PAUSE_MS * (0.5 + Math.random()), signal);
};
