import type { Logger } from 'pino';
import { MillraceError } from '../../contract/errors.ts';
import { freeBytes } from '../../files/free-bytes.ts';
import { UnsafeFileError } from '../../files/unsafe-file-error.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import type { FinishedResult } from '../receipts/finished-result.ts';
import { retainResult, writeResultRecord } from './retained-result.ts';

/** Thrown when a result can neither be uploaded now nor retained for later. */
export class ResultNotRetained extends Error {
  override readonly name = 'ResultNotRetained';
}

/** The run whose result is retained. */
interface RetainingRun {
  readonly run: string;
  /** The ID of the job. */
  readonly job: string;
  /** The folder of the run. */
  readonly directory: string;
  readonly log: Logger;
}

/** Retains results whose upload has failed once, within limits. */
export interface Retention {
  /** Number of retained results, and their bytes. */
  readonly waiting: { readonly results: number; readonly bytes: number };
  /**
   * Deletes everything else of the run, and retains its result for retries and for a later run of the job. Returns the
   * result at its new path.
   *
   * @param cause Why the result could not be uploaded.
   * @throws ResultNotRetained; MillraceError `storage_failed` if the file was changed; the signal's reason.
   */
  retain(result: FinishedResult, run: RetainingRun, cause: unknown, signal: AbortSignal): Promise<FinishedResult>;
  /** Stops counting the result of a run. */
  release(run: string): void;
}

/** Dependencies of {@link Retention}. */
interface RetentionServices {
  readonly sealer: Sealer;
  /** Maximum number of retained results, whatever their size: the worker sends heartbeats for the job of each. */
  readonly maxResults: number;
  /** Returns the free bytes on the disk of a folder. */
  readonly free?: ((folder: string) => Promise<number>) | undefined;
}

/** Creates {@link Retention}. */
export function openRetention({ sealer, maxResults, free = freeBytes }: RetentionServices): Retention {
  /** Sizes of the retained results in bytes, by run. */
  const sizes = new Map<string, number>();
  const totalBytes = () => [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);

  return {
    get waiting() {
      return { results: sizes.size, bytes: totalBytes() };
    },
    async retain(result, { run, job, directory, log }, cause, signal) {
      if (sizes.size >= maxResults) throw new ResultNotRetained('too many results wait', { cause });
      sizes.set(run, result.bytes);
      try {
        const retainedFile = await retainResult(directory, result);
        // Waiting results may take up as much space as is left free.
        if (totalBytes() > (await free(directory)))
          throw new ResultNotRetained('the disk has no space for it', { cause });
        await writeResultRecord(job, retainedFile, sealer, signal);
        return retainedFile;
      } catch (error) {
        sizes.delete(run);
        signal.throwIfAborted();
        if (error instanceof ResultNotRetained) throw error;
        if (error instanceof UnsafeFileError) throw changedFileError(error);
        log.warn({ err: error }, 'a result could not be retained');
        throw new ResultNotRetained('it could not be retained', { cause: error });
      }
    },
    release(run) {
      sizes.delete(run);
    },
  };
}

function changedFileError(cause: UnsafeFileError): MillraceError {
  const message = 'The finished file was changed before it could be stored. Start the same job again.';
  return new MillraceError('storage_failed', message, { cause });
}
