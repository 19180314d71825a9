import { vi } from 'vitest';

/** More than a client ever waits between two attempts, all together. */
const MILLISECONDS = 600_000;

/**
 * Lets the time pass that a client waits. Timers of others in this process, such as those of a database that waits for the
 * next test, may set themselves again for ever, so not all timers are run.
 */
export async function advanceTime(): Promise<void> {
  await vi.advanceTimersByTimeAsync(MILLISECONDS);
}
