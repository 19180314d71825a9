import type { MillraceError } from '../../contract/errors.ts';
import { isJobId } from '../../contract/job-id.ts';
import { type Database, notify, type Sql } from '../../database/database.ts';
import {
  type CancellableJob,
  type CancelOutcome,
  cancelledByOperatorError,
  jobCancelledError,
  outcomeIfFinished,
} from './cancel-rules.ts';
import { failureColumns, failureValues } from './failure-columns.ts';
import { jobNotFoundError } from './job-not-found.ts';
import { cancelChannel, finalChannel } from './job-states.ts';
import { lockJob } from './lock-job.ts';

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
  database: Pick<Database, 'transaction'>,
  id: string,
  owner: string,
): Promise<CancelOutcome> {
  if (!isJobId(id)) throw jobNotFoundError();
  return await database.transaction(async (sql) => {
    const job = await lockJob<CancellableRow>(
      sql,
      'select owner, state, error, run, left_run from render_jobs where id = $1 and expires_at > now() for update',
      [id],
    );
    if (job === undefined) throw jobNotFoundError();
    const outcome = outcomeIfFinished(job, id, owner);
    if (outcome !== undefined) return outcome;
    await endCancelledJob(sql, id, job, jobCancelledError());
    return 'cancelled';
  });
}

/**
 * Ends an unfinished job of any owner, like {@link cancelJob}, because an administrator cancels it for a reason, which
 * the job's owner can read.
 *
 * @param record Records a cancellation in the transaction that makes it.
 * @throws MillraceError `not_found`, `service_unavailable`.
 */
export async function cancelJobAsAdministrator(
  database: Database,
  id: string,
  reason: string,
  record: (sql: Sql) => Promise<void>,
): Promise<'cancelled' | 'already_finished'> {
  if (!isJobId(id)) throw jobNotFoundError();
  return await database.transaction(async (sql) => {
    const job = await lockJob<CancellableRow>(
      sql,
      'select owner, state, error, run, left_run from render_jobs where id = $1 and expires_at > now() for update',
      [id],
    );
    if (job === undefined) throw jobNotFoundError();
    if (job.state === 'done' || job.state === 'failed') return 'already_finished';
    await endCancelledJob(sql, id, job, cancelledByOperatorError(reason));
    await record(sql);
    return 'cancelled';
  });
}

/** Ends an unfinished job, whose row is locked. */
async function endCancelledJob(
  sql: Sql,
  id: string,
  job: Pick<CancellableRow, 'run' | 'left_run'>,
  error: MillraceError,
): Promise<void> {
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
    [id, job.run, ...failureValues(error)],
  );
  await notify(sql, finalChannel, id);
  // A job that never ran has stored nothing.
  const run = job.run ?? job.left_run;
  if (run !== null) await notify(sql, cancelChannel, run);
}
