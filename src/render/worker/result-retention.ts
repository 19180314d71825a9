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
  /** The owner of the job. */
  readonly owner: string;
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
  /** The largest part of {@link maxResults} and of the space that the results of one owner get; default: 1. */
  readonly ownerShare?: number;
  /** Returns the free bytes on the disk of a folder. */
  readonly free?: ((folder: string) => Promise<number>) | undefined;
}

interface RetainedResult {
  readonly owner: string;
  readonly bytes: number;
}

/** Creates {@link Retention}. */
export function openRetention(services: RetentionServices): Retention {
  const { sealer, maxResults, ownerShare = 1, free = freeBytes } = services;
  /** The retained results, by run. */
  const retained = new Map<string, RetainedResult>();

  /** Returns the number of retained results and their bytes; with an owner, only of the owner's. */
  function total(owner?: string): { results: number; bytes: number } {
    const counted = [...retained.values()].filter((result) => owner === undefined || result.owner === owner);
    return { results: counted.length, bytes: counted.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  return {
    get waiting() {
      return total();
    },
    async retain(result, { run, job, owner, directory, log }, cause, signal) {
      if (total().results >= maxResults) throw new ResultNotRetained('too many results wait', { cause });
      if (total(owner).results >= maxResults * ownerShare)
        throw new ResultNotRetained('too many results of its owner wait', { cause });
      retained.set(run, { owner, bytes: result.bytes });
      try {
        const retainedFile = await retainResult(directory, result);
        // Waiting results may take up as much space as is left free, and those of one owner their share of it.
        const space = await free(directory);
        if (total().bytes > space || total(owner).bytes > space * ownerShare)
          throw new ResultNotRetained('the disk has no space for it', { cause });
        await writeResultRecord(job, retainedFile, sealer, signal);
        return retainedFile;
      } catch (error) {
        retained.delete(run);
        signal.throwIfAborted();
        if (error instanceof ResultNotRetained) throw error;
        if (error instanceof UnsafeFileError) throw changedFileError(error);
        log.warn({ err: error }, 'a result could not be retained');
        throw new ResultNotRetained('it could not be retained', { cause: error });
      }
    },
    release(run) {
      retained.delete(run);
    },
  };
}

function changedFileError(cause: UnsafeFileError): MillraceError {
  const message = 'The finished file was changed before it could be stored. Start the same job again.';
  return new MillraceError('storage_failed', message, { cause });
}
