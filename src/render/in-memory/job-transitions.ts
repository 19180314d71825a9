import type { MillraceError } from '../../contract/errors.ts';
import type { StoredFile } from '../jobs/queue/end-run.ts';
import type { JobRecord } from './job-records.ts';

/** The outcome of a job. */
export type JobOutcome =
  | { readonly state: 'done'; readonly file: StoredFile }
  | { readonly state: 'failed'; readonly error: MillraceError };

/** Ends a job and invalidates its run. */
export function endJob(record: JobRecord, outcome: JobOutcome): void {
  Object.assign(record, outcome);
  record.currentRun = undefined;
}

/** Puts a job back in the queue. If the run is `resumable`, its worker may resume it. */
export function requeueJob(record: JobRecord, resumable: boolean): void {
  record.state = 'queued';
  record.previousRun = resumable ? record.currentRun : undefined;
  record.currentRun = undefined;
}
