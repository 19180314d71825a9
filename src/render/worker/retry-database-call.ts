import type { Logger } from 'pino';
import { sleep } from '../../waiting/sleep.ts';
import { heartbeatTimeoutMs } from '../jobs/job-states.ts';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 4_000;

/** Waits for so many milliseconds; throws the signal's reason. */
export type Pause = (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;

/**
 * Retries a call of the database until it succeeds, for as long as the worker may count its jobs as its own: connections
 * break, and servers restart. The call must be safe to repeat, since nobody knows whether a failed one took effect.
 *
 * @throws What the last call threw; the signal's reason.
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
      log.warn({ err: error }, 'the database did not answer; it is asked again');
      // Jitter, so that the jobs of many workers do not come back all at once.
      await wait(pauseMs * (0.5 + Math.random() / 2), signal);
    }
  }
}
