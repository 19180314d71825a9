import type { Logger } from 'pino';
import { MillraceError } from '../../contract/errors.ts';
import { sizeOf } from '../../files/open-file.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import { ChecksumError } from '../../storage/compare-checksums.ts';
import type { PutResult, Storage } from '../../storage/storage.ts';
import { errorName, isRefusal } from '../../storage/storage-errors.ts';
import { createConcurrencyLimit } from '../../waiting/concurrency-limit.ts';
import { sleep } from '../../waiting/sleep.ts';
import { untilAborted } from '../../waiting/until-aborted.ts';
import type { FinishedResult } from '../receipts/finished-result.ts';
import type { WorkerMetrics } from './metrics-port.ts';
import { openRetention, ResultNotRetained } from './result-retention.ts';
import type { Pause } from './retry-database-call.ts';
import type { StoreWatch } from './store-watch.ts';
import { uploadTimeout } from './upload-timeout.ts';

/** Maximum number of concurrent retries. */
const RETRIES_AT_ONCE = 2;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 15_000;
/** Maximum pause if the store has refused a file or stored a different one: each attempt sends the whole file. */
const MAX_PAUSE_REFUSED_MS = 300_000;
/** Maximum number of waiting results, whatever their size: this worker sends heartbeats for the job of each. */
const MAX_WAITING = 100;
/**
 * Time for an upload to end after its signal is aborted, so that the stored data can be deleted. An upload that hangs
 * in a mount does not end.
 */
const ABORT_TIMEOUT_MS = 2_000;

/** Parameters of the upload of a result. */
export interface UploadOptions {
  readonly run: string;
  /** The ID of the job. */
  readonly job: string;
  /** The owner of the job. */
  readonly owner: string;
  /** The folder of the run. */
  readonly directory: string;
  readonly expiresAt: Date;
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
  /** Called as soon as the upload has failed once: from then on the run occupies no slot. */
  readonly onWaiting: () => Promise<void>;
  /** Called when the result is retained for a later run of the job. */
  readonly onRetained: () => void;
  readonly log: Logger;
}

/** Stores results, and retains them while the store fails. */
export interface Uploads {
  /** Number of results that wait for the store, and their bytes. */
  readonly waiting: { readonly results: number; readonly bytes: number };
  /**
   * Stores a result. If that fails, deletes everything else of the run and retries until shortly before the job
   * expires.
   *
   * @throws MillraceError `storage_failed` when the time is over or the file is not what the engine reported;
   * ResultNotRetained if there is no space to retain it; the signal's reason.
   */
  store(result: FinishedResult, call: UploadOptions): Promise<PutResult>;
}

/** Dependencies of uploads. */
interface UploadServices {
  readonly storage: Pick<Storage, 'put'>;
  readonly watch: Pick<StoreWatch, 'fileStored' | 'uploadFailed'>;
  readonly sealer: Sealer;
  readonly metrics: Pick<WorkerMetrics, 'uploadRetried'>;
  readonly pause?: Pause;
  /** Returns the free bytes on the disk of a folder. */
  readonly free?: (folder: string) => Promise<number>;
}

/** Opens the uploads of a worker. */
export function openUploads(services: UploadServices): Uploads {
  const { storage, watch, sealer, metrics, pause: wait = sleep, free } = services;
  const retries = createConcurrencyLimit(RETRIES_AT_ONCE);
  const retention = openRetention({ sealer, maxResults: MAX_WAITING, free });

  async function put({ path, bytes: size }: FinishedResult, { run, onProgress }: UploadOptions, signal: AbortSignal) {
    const putting = storage.put(run, path, { size, signal, onProgress });
    const result = await untilAborted(putting, signal).catch(async (error: unknown) => {
      if (signal.aborted) await Promise.race([putting, wait(ABORT_TIMEOUT_MS, undefined)]).catch(() => undefined);
      throw error;
    });
    signal.throwIfAborted();
    watch.fileStored();
    return result;
  }

  /** Retries until the signal is aborted. */
  async function retry(
    result: FinishedResult,
    call: UploadOptions,
    failure: Failure,
    signal: AbortSignal,
  ): Promise<PutResult> {
    for (let next = FIRST_PAUSE_MS; ; next = Math.min(next * 2, maxPause(failure.last))) {
      // Jitter, so that uploads that failed together are not retried together.
      await wait(next * (0.5 + Math.random() / 2), signal);
      try {
        const putResult = await retries.run(() => put(result, call, signal), signal);
        metrics.uploadRetried('stored');
        return putResult;
      } catch (error) {
        signal.throwIfAborted();
        metrics.uploadRetried('failed');
        const isLost = (await sizeOf(result.path, { size: result.bytes })) === undefined;
        if (isLost) throw new ResultNotRetained('the store has lost it', { cause: error });
        failure.last = error;
      }
    }
  }

  /** Tries once, then retains the result and retries, until the signal is aborted. */
  async function storeOrRetry(result: FinishedResult, call: UploadOptions, failure: Failure, signal: AbortSignal) {
    const { run, onWaiting, onRetained, log } = call;
    try {
      return await put(result, call, signal);
    } catch (error) {
      failure.last = error;
      signal.throwIfAborted();
    }
    log.warn({ err: failure.last }, 'the result could not be stored; it is retained and the upload is retried');
    watch.uploadFailed(run, failure.last);
    await onWaiting();
    const retainedFile = await retention.retain(result, call, failure.last, signal);
    onRetained();
    try {
      return await retry(retainedFile, call, failure, signal);
    } finally {
      retention.release(run);
    }
  }

  return {
    get waiting() {
      return retention.waiting;
    },
    async store(result, call) {
      const startedAt = performance.now();
      const timeout = AbortSignal.timeout(uploadTimeout(call.expiresAt));
      const failure: Failure = { last: undefined };
      try {
        return await storeOrRetry(result, call, failure, AbortSignal.any([call.signal, timeout]));
      } catch (error) {
        call.signal.throwIfAborted();
        if (error !== timeout.reason) throw error;
        call.log.warn({ err: failure.last }, 'the result could not be stored before the job expires');
        throw uploadTimeoutError(performance.now() - startedAt, failure.last);
      }
    },
  };
}

/** The failure of the last finished attempt. */
interface Failure {
  last: unknown;
}

function maxPause(error: unknown): number {
  return isRefusal(error) || error instanceof ChecksumError ? MAX_PAUSE_REFUSED_MS : MAX_PAUSE_MS;
}

function uploadTimeoutError(milliseconds: number, cause: unknown): MillraceError {
  const duration =
    milliseconds < 90_000 ? `${Math.round(milliseconds / 1_000)} s` : `${Math.round(milliseconds / 60_000)} min`;
  const message = `The finished file could not be stored within ${duration} of retries (${errorName(cause)}). Start the same job again later.`;
  return new MillraceError('storage_failed', message, { cause });
}
