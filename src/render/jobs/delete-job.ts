import { isJobId } from '../../contract/job-id.ts';
import { type Database, notify } from '../../database/database.ts';
import { notOwnerError } from './cancel-rules.ts';
import { jobNotFoundError } from './job-not-found.ts';
import { finalChannel } from './job-states.ts';
import { lockJob } from './lock-job.ts';
import { type StatusRow, statusColumns } from './status-row.ts';

/**
 * Deletes a finished job for its owner, with events that were not delivered yet. Its file is listed for deletion.
 * Returns the last status of the job; undefined if the job is unfinished, and unchanged.
 *
 * @throws MillraceError `not_found`, `forbidden` if the ID belongs to another owner, `service_unavailable`.
 */
export async function deleteFinishedJob(
  database: Pick<Database, 'transaction'>,
  id: string,
  owner: string,
): Promise<StatusRow | undefined> {
  if (!isJobId(id)) throw jobNotFoundError();
  return await database.transaction(async (sql) => {
    const job = await lockJob<StatusRow & { owner: string }>(
      sql,
      `select ${statusColumns}, j.owner from render_jobs j left join render_progress p using (run)
       where j.id = $1 and j.expires_at > now() for update of j`,
      [id],
    );
    if (job === undefined) throw jobNotFoundError();
    if (job.owner !== owner) throw notOwnerError(id);
    if (job.state !== 'done' && job.state !== 'failed') return undefined;
    // Before the job: the trigger render_jobs_gone would keep them.
    await sql.query('delete from render_webhooks where job_id = $1', [id]);
    await sql.query(
      `with gone as (delete from render_jobs where id = $1 returning file_key)
       insert into file_deletions (file_key) select file_key from gone where file_key is not null
       on conflict do nothing`,
      [id],
    );
    await notify(sql, finalChannel, id);
    return job;
  });
}
