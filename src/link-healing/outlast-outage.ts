import { MillraceError } from '../contract/errors.ts';
import { sleep } from '../waiting/sleep.ts';

/** Milliseconds before each further attempt. */
const pauses = [250, 500, 1_000, 2_000, 4_000];

/**
 * Repeats a database call while the database is unavailable, for about 8 s: a restart of the database must not end a
 * job whose link has just died. A call that took effect although it failed counts twice, so the limits still hold.
 *
 * @throws The last error of the call; the signal's reason.
 */
export async function outlastOutage<Result>(
  call: () => Promise<Result>,
  signal: AbortSignal,
  wait: typeof sleep = sleep,
): Promise<Result> {
  for (const pause of pauses) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof MillraceError && error.code === 'service_unavailable')) throw error;
      await wait(pause, signal);
    }
  }
  return await call();
}
