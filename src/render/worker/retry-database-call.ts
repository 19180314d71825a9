import type { Logger } from 'pino';
import { sleep } from '../../waiting/sleep.ts';
import { heartbeatTimeoutMs } from '../jobs/job-states.ts';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 4_000;

/** Waits for some milliseconds; throws the signal's reason when it is aborted. */
export type Pause = (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;

/**
 * Retries a database call until it succeeds, while the worker may assume that it still holds its jobs: connections
 * fail, and servers restart. The call must be idempotent, since a failed one may have taken effect.
 *
 * @throws The error of the last call; the signal's reason.
 */
export async function retryDatabaseCall<T>(
  call: () => Promise<T>,
  { log, signal, pause: wait = sleep }: { log: Logger; signal?: AbortSignal; pause?: Pause },
): Promise<T> {
  const deadline = performance.now() + heartbeatTimeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    try {
      return await call();
    } catch (error) {
      if (performance.now() + pauseMs > deadline) throw error;
      log.warn({ err: error }, 'the database did not respond; the call will be retried');
      // Jitter, so that the jobs of many workers do not all retry at the same moment.
      await wait(pauseMs * (0.5 + Math.random() / 2), signal);
    }
  }
}
