import type { ClaimedJob } from './queue/claim-job.ts';

/** Returns the members of every log line about a run of a job, on whichever node. */
export function jobBindings({ id, run, origin }: ClaimedJob) {
  return { job: id, run, ...(origin === undefined ? {} : { requestId: origin.requestId }) };
}
