/** Milliseconds until the first trial, and at most between two trials. */
const FIRST_INTERVAL_MS = 60_000;
const MAX_INTERVAL_MS = 15 * 60_000;

/**
 * The trials of a profile whose media is refused: single extractions that use it all the same, because only a fetch of
 * its media can show that it works again.
 */
export interface Trials {
  /** Starts over: the first trial is due a minute later. */
  reset(): void;
  /** Whether the next extraction should be a trial. */
  isDue(): boolean;
  /** Starts a trial. The next one is due after twice the time, or at once if media arrives. */
  start(): void;
  /** Media has arrived. */
  arrived(): void;
}

/** Creates trials of which the first is due at once. */
export function createTrials(): Trials {
  let interval = FIRST_INTERVAL_MS;
  let nextAt = 0;
  return {
    reset() {
      interval = FIRST_INTERVAL_MS;
      nextAt = Date.now() + interval;
    },
    isDue: () => Date.now() >= nextAt,
    start() {
      interval = Math.min(2 * interval, MAX_INTERVAL_MS);
      nextAt = Date.now() + interval;
    },
    arrived() {
      interval = FIRST_INTERVAL_MS;
      nextAt = 0;
    },
  };
}
