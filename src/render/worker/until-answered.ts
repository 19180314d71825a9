import type { Logger } from 'pino';
import { pause } from '../../waiting/pause.ts';
import { loneWorkerMs } from '../jobs/states.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;

/** Waits for so many milliseconds; throws the signal's reason. */
export type Pause = (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;

/**
 * Asks the database until it answers, for as long as the worker may count its jobs as its own: connections break, and
 * servers are restarted. For what may be asked again when nobody knows whether it took effect.
 *
 * @throws whatever the last try threw; the signal's reason.
 */
export async function untilAnswered<T>(
  ask: () => Promise<T>,
  { log, signal, pause: wait = pause }: { log: Logger; signal?: AbortSignal; pause?: Pause },
): Promise<T> {
  const last = performance.now() + loneWorkerMs;
  for (let next = FIRST_PAUSE_MS; ; next = Math.min(next * 2, LONGEST_PAUSE_MS)) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() + next > last) throw error;
      log.warn({ err: error }, 'the database did not answer; it is asked again');
      // Jitter, so that the jobs of many workers do not come back all at once.
      await wait(next * (0.5 + Math.random() / 2), signal);
    }
  }
}
