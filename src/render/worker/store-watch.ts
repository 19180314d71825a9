import type { Logger } from 'pino';
import type { Storage } from '../../storage/storage.ts';
import { isRefusal } from '../../storage/storage-errors.ts';
import { sleep } from '../../waiting/sleep.ts';
import { withTimeout } from '../../waiting/with-timeout.ts';
import { createCoalescingTask } from '../scheduling/coalescing-task.ts';
import type { Pause } from './retry-database-call.ts';

const CHECK_TIMEOUT_MS = 5_000;
/** How often a store that works is checked. */
const CHECK_INTERVAL_MS = 15_000;
/** How long until a store that fails is checked again: doubled each time. */
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 15_000;
/** Failed uploads of this many runs in a row mean that the store fails, and not one file. */
const MANY_RUNS = 2;
/** When uploads have failed for so long though checks succeed, one job at a time shows whether it is still so. */
const TRIAL_AFTER_MS = 60_000;

/** A circuit breaker for the store. A failed check opens it, as do failed uploads of several runs. */
export interface StoreWatch {
  readonly failing: boolean;
  /** Whether uploads have failed, checks succeed, and nothing was stored since: one job at a time tries it. */
  readonly trial: boolean;
  /** Checks the store now; settles when it is known whether that fails. */
  check(): Promise<void>;
  /** A file was stored. */
  fileStored(): void;
  /** The first upload of a run has failed. The store is checked at once. */
  uploadFailed(run: string, error: unknown): void;
  close(): Promise<void>;
}

/** What a store is watched with. */
interface StoreWatchServices {
  readonly storage: Pick<Storage, 'check'>;
  /** Whether uploads are being retried, which show when the store accepts files again. */
  readonly isRetrying: () => boolean;
  readonly log: Logger;
  readonly pause?: Pause;
}

/** Watches a store. It counts as working until a check or upload fails. */
export function watchStore({
  storage,
  isRetrying,
  log,
  pause: wait = pauseInBackground,
}: StoreWatchServices): StoreWatch {
  const closing = new AbortController();
  const failedRuns = new Set<string>();
  let state: 'closed' | 'open' | 'half-open' = 'closed';
  let retryMs = FIRST_RETRY_MS;
  let openedAt = 0;

  function openBreaker(error: unknown): void {
    if (state === 'open') return;
    // The log has not said that it accepts files again.
    const isLogged = state === 'half-open';
    state = 'open';
    openedAt = performance.now();
    if (isLogged) return;
    if (isRefusal(error)) {
      log.error({ err: error }, 'the worker pauses: the store refuses files. Check its bucket, credentials and rights');
    } else log.error({ err: error }, 'the worker pauses: the store accepts no files');
  }
  function closeBreaker(): void {
    if (state === 'closed') return;
    state = 'closed';
    log.info('the worker resumes: the store accepts files again');
  }

  async function check(): Promise<void> {
    try {
      await withTimeout(storage.check(), CHECK_TIMEOUT_MS);
    } catch (error) {
      openBreaker(error);
      return;
    }
    // A store can be there and take no files: uploads that are retried show more than a check.
    if (failedRuns.size < MANY_RUNS) closeBreaker();
    else if (!isRetrying() || performance.now() - openedAt >= TRIAL_AFTER_MS) state = 'half-open';
  }
  const checking = createCoalescingTask(check, (error) => log.error({ err: error }, 'the store could not be checked'));

  async function watch(): Promise<void> {
    for (;;) {
      // Jitter, so that the workers do not ask all at once.
      await wait((state === 'open' ? retryMs : CHECK_INTERVAL_MS) * (0.5 + Math.random() / 2), closing.signal);
      if (state === 'open') retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
      checking.request();
      await checking.settled();
    }
  }
  const watching = watch().catch((error: unknown) => {
    if (!closing.signal.aborted) throw error;
  });

  return {
    get failing() {
      return state === 'open';
    },
    get trial() {
      return state === 'half-open';
    },
    async check() {
      checking.request();
      await checking.settled();
    },
    fileStored() {
      failedRuns.clear();
      retryMs = FIRST_RETRY_MS;
      closeBreaker();
    },
    uploadFailed(run, error) {
      if (failedRuns.size < MANY_RUNS) failedRuns.add(run);
      if (failedRuns.size === MANY_RUNS) openBreaker(error);
      else checking.request();
    },
    async close() {
      closing.abort();
      await Promise.all([watching, checking.settled()]);
    },
  };
}

/** Keeps no process alive. */
function pauseInBackground(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return sleep(milliseconds, signal, { ref: false });
}
