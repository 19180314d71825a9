import { sleep } from '../../../waiting/sleep.ts';

const PAUSE_MS = 400;

/** Waits between two tries of the same. */
export type Pause = (signal: AbortSignal) => Promise<void>;

/**
 * Waits 200 to 600 milliseconds, so that the tries of many extractions do not come in step.
 *
 * @throws The signal's reason.
 */
export const shortPause: Pause = async (signal) => {
  await sleep(PAUSE_MS * (0.5 + Math.random()), signal);
};
