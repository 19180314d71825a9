import type { MillraceError } from '../../contract/errors.ts';
import type { StoredFile } from '../jobs/queue/finish.ts';
import type { JobRecord } from './records.ts';

/** How a job ends. */
export type Ending =
  | { readonly state: 'done'; readonly file: StoredFile }
  | { readonly state: 'failed'; readonly error: MillraceError };

/** Ends a job; its run is no longer valid. */
export function end(record: JobRecord, ending: Ending): void {
  Object.assign(record, ending);
  record.currentRun = undefined;
}

/** Puts a job back in the queue. If the run is `resumable`, its worker may resume it. */
export function putBack(record: JobRecord, resumable: boolean): void {
  record.state = 'queued';
  record.formerRun = resumable ? record.currentRun : undefined;
  record.currentRun = undefined;
}
