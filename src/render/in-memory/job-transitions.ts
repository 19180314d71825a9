import type { DeliveryOutcome } from '../../contract/delivery-outcome.ts';
import type { MillraceError } from '../../contract/errors.ts';
import type { CompletedFile } from '../jobs/queue/end-run.ts';
import type { JobRecord } from './job-records.ts';

/** The outcome of a job. */
export type JobOutcome =
  | { readonly state: 'done'; readonly file: CompletedFile }
  | { readonly state: 'failed'; readonly error: MillraceError; readonly delivery?: DeliveryOutcome };

/** Ends a job and invalidates its run. */
export function endJob(record: JobRecord, outcome: JobOutcome): void {
  record.state = outcome.state;
  if (outcome.state === 'failed') record.error = outcome.error;
  else if ('key' in outcome.file) record.file = outcome.file;
  record.delivery = (outcome.state === 'done' ? outcome.file.delivery : outcome.delivery) ?? record.delivery;
  record.currentRun = undefined;
}

/** Puts a job back in the queue. If the run is `resumable`, its worker may resume it. */
export function requeueJob(record: JobRecord, resumable: boolean): void {
  record.state = 'queued';
  record.previousRun = resumable ? record.currentRun : undefined;
  record.currentRun = undefined;
}
