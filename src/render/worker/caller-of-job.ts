import { callerOf, ownerOf } from '../../accounts/owner.ts';
import type { Caller } from '../../contract/caller.ts';
import type { ClaimedJob } from '../jobs/queue/claim-job.ts';

/** Returns whom the requests of a job are sent for. A job does not tell its visitor, so each job of a visitor is one. */
export function callerOfJob({ id, owner, visitor }: Pick<ClaimedJob, 'id' | 'owner' | 'visitor'>): Caller {
  return callerOf(ownerOf({ id: owner, visitor: visitor ? id : undefined }));
}
