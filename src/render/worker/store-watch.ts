import type { Logger } from 'pino';
import { inTime } from '../../in-time.ts';
import { pause } from '../../pause.ts';
import { isRefusal } from '../../storage/failures.ts';
import type { Storage } from '../../storage/storage.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { Pause } from './until-answered.ts';

const CHECK_TIMEOUT_MS = 5_000;
/** How often a store that works is checked. */
const CALM_MS = 15_000;
/** How long until a store that fails is checked again: doubled each time. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 15_000;
/** So many runs in a row whose upload failed show that it is not one file that the store does not take. */
const MANY_RUNS = 2;
/** When uploads have failed for so long though checks succeed, one more job shows whether it is still so. */
const TRIAL_AFTER_MS = 60_000;

/** A circuit breaker: knows whether the store takes files. Failed checks open it, and failed uploads of several runs. */
export interface StoreWatch {
  readonly failing: boolean;
  /** A file was stored. */
  stored(): void;
  /** The first upload of a run has failed. The store is checked at once. */
  failed(run: string, error: unknown): void;
  close(): Promise<void>;
}

/** What a store is watched with. */
export interface WatchServices {
  readonly storage: Pick<Storage, 'check'>;
  /** Whether uploads are retried that will show by themselves when the store takes files again. */
  readonly retried: () => boolean;
  readonly log: Logger;
  readonly pause?: Pause;
}

/** Starts with a store that is taken to work. */
export function watchStore({ storage, retried, log, pause: wait = pauseInBackground }: WatchServices): StoreWatch {
  const closing = new AbortController();
  const failedRuns = new Set<string>();
  let failing = false;
  let retryMs = FIRST_RETRY_MS;
  let openedAt = 0;

  function open(error: unknown): void {
    if (failing) return;
    failing = true;
    openedAt = performance.now();
    if (isRefusal(error)) {
      log.error({ err: error }, 'the worker pauses: the store refuses files. Check its bucket, credentials and rights');
    } else log.error({ err: error }, 'the worker pauses: the store takes no files');
  }
  function shut(): void {
    if (!failing) return;
    failing = false;
    log.info('the store takes files again: the worker takes up jobs');
  }

  async function check(): Promise<void> {
    try {
      await inTime(storage.check(), CHECK_TIMEOUT_MS);
    } catch (error) {
      open(error);
      return;
    }
    // A store can be there and take no files: uploads that are retried show more than a check.
    const unknown = failedRuns.size === MANY_RUNS && retried() && performance.now() - openedAt < TRIAL_AFTER_MS;
    if (!unknown) shut();
  }
  const checking = oneAtATime(check, (error) => log.error({ err: error }, 'the store could not be checked'));

  async function watch(): Promise<void> {
    for (;;) {
      // Jitter, so that the workers do not ask all at once.
      await wait((failing ? retryMs : CALM_MS) * (0.5 + Math.random() / 2), closing.signal);
      if (failing) retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
      checking.ask();
      await checking.settled();
    }
  }
  const watching = watch().catch((error: unknown) => {
    if (!closing.signal.aborted) throw error;
  });

  return {
    get failing() {
      return failing;
    },
    stored() {
      failedRuns.clear();
      retryMs = FIRST_RETRY_MS;
      shut();
    },
    failed(run, error) {
      if (failedRuns.size < MANY_RUNS) failedRuns.add(run);
      if (failedRuns.size === MANY_RUNS) open(error);
      else checking.ask();
    },
    async close() {
      closing.abort();
      await Promise.all([watching, checking.settled()]);
    },
  };
}

/** Keeps no process alive. */
function pauseInBackground(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return pause(milliseconds, signal, { ref: false });
}
