import { isJobId } from '../../contract/job-id.ts';
import type { RenderCancelResponse } from '../../contract/job-status.ts';
import { type Database, notify } from '../../database/database.ts';
import { type CancellableJob, jobCancelledError, outcomeIfFinished } from './cancel-rules.ts';
import { failureColumns, failureValues } from './failure-columns.ts';
import { jobNotFoundError } from './job-not-found.ts';
import { cancelChannel, finalChannel } from './job-states.ts';

interface CancellableRow extends CancellableJob {
  run: string | null;
  left_run: string | null;
}

/**
 * Ends an unfinished job for its owner: the job fails, its run becomes invalid, and subscribers are notified. The lock
 * on the job's row serializes this call with the worker's calls, so a job ends only once. A repeated call returns the
 * same result.
 *
 * @throws MillraceError `not_found`, `forbidden` if the ID belongs to another owner, `service_unavailable`.
 */
export async function cancelJob(
  database: Database,
  id: string,
  owner: string,
): Promise<RenderCancelResponse['status']> {
  if (!isJobId(id)) throw jobNotFoundError();
  return await database.transaction(async (sql) => {
    const [job] = await sql.query<CancellableRow>(
      'select owner, state, error, run, left_run from render_jobs where id = $1 and expires_at > now() for update',
      [id],
    );
    if (job === undefined) throw jobNotFoundError();
    const outcome = outcomeIfFinished(job, id, owner);
    if (outcome !== undefined) return outcome;
    // The next sweep deletes what its run has stored or is about to store.
    await sql.query(
      `with ended as (
         delete from render_progress where run = $2::uuid returning progress
       ), swept as (
         insert into file_deletions (file_key) select $2::uuid::text where $2::uuid is not null on conflict do nothing
       )
       update render_jobs set state = 'failed', (${failureColumns}) = ($3, $4, $5::boolean, $6::integer),
         description = null,
         progress = coalesce((select progress from ended), render_jobs.progress),
         run = null, worker = null, left_run = null, left_worker = null
       where id = $1`,
      [id, job.run, ...failureValues(jobCancelledError())],
    );
    await notify(sql, finalChannel, id);
    // A job that never ran has stored nothing.
    const run = job.run ?? job.left_run;
    if (run !== null) await notify(sql, cancelChannel, run);
    return 'cancelled';
  });
}
