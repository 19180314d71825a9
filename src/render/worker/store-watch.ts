import type { Logger } from 'pino';
import type { Storage } from '../../storage/storage.ts';
import { isRefusal } from '../../storage/storage-errors.ts';
import { createCoalescingTask } from '../../waiting/coalescing-task.ts';
import { sleep } from '../../waiting/sleep.ts';
import { untilAborted } from '../../waiting/until-aborted.ts';
import { withTimeout } from '../../waiting/with-timeout.ts';
import type { Pause } from './retry-database-call.ts';

const CHECK_TIMEOUT_MS = 5_000;
/** Check interval of a working store. */
const CHECK_INTERVAL_MS = 15_000;
/** Delay before a failing store is checked again: doubled each time. */
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 15_000;
/** Failed uploads of this many runs in a row mean that the store fails, rather than one file. */
const MANY_RUNS = 2;
/** If uploads have failed for this time although checks succeed, one job at a time tests whether uploads still fail. */
const TRIAL_AFTER_MS = 60_000;

/** A circuit breaker for the store. A failed check opens it, as do failed uploads of several runs. */
export interface StoreWatch {
  readonly failing: boolean;
  /** Whether uploads have failed, checks succeed, and nothing was stored since: one job at a time tests the store. */
  readonly trial: boolean;
  /** Checks the store immediately; settles when the result is known. */
  check(): Promise<void>;
  /** Records that a file was stored. */
  fileStored(): void;
  /** Records that the first upload of a run has failed, and checks the store immediately. */
  uploadFailed(run: string, error: unknown): void;
  /** Stops watching, without waiting for a check of a store that does not respond. */
  close(): Promise<void>;
}

/** Dependencies of watching a store. */
interface StoreWatchServices {
  readonly storage: Pick<Storage, 'check'>;
  /** Whether uploads are being retried, which shows when the store accepts files again. */
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
    // In the half-open state, the failure is already logged, and the log has not yet reported that the store accepts
    // files again.
    const isLogged = state === 'half-open';
    state = 'open';
    openedAt = performance.now();
    if (isLogged) return;
    if (isRefusal(error)) {
      log.error(
        { err: error },
        'the worker pauses: the store refuses files. Check its bucket, credentials and permissions',
      );
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
      if (!closing.signal.aborted) openBreaker(error);
      return;
    }
    if (closing.signal.aborted) return;
    // A store can respond and accept no files: retried uploads are better evidence than a check.
    if (failedRuns.size < MANY_RUNS) closeBreaker();
    else if (!isRetrying() || performance.now() - openedAt >= TRIAL_AFTER_MS) state = 'half-open';
  }
  const checking = createCoalescingTask(check, (error) => log.error({ err: error }, 'the store could not be checked'));

  async function watch(): Promise<void> {
    for (;;) {
      // Jitter, so that the workers do not all check at the same moment.
      await wait((state === 'open' ? retryMs : CHECK_INTERVAL_MS) * (0.5 + Math.random() / 2), closing.signal);
      if (state === 'open') retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
      checking.request();
      await untilAborted(checking.settled(), closing.signal);
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
      await watching;
    },
  };
}

/** Waits without keeping the process alive. */
function pauseInBackground(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return sleep(milliseconds, signal, { ref: false });
}
