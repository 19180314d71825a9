import { vi } from 'vitest';

/** Longer than all pauses of a client together. */
const MILLISECONDS = 600_000;

/**
 * Advances the timers past all pauses of a client. It does not run all timers: others in this process, such as those of
 * a database that waits for the next test, may restart forever.
 */
export async function advanceTime(): Promise<void> {
  await vi.advanceTimersByTimeAsync(MILLISECONDS);
}
