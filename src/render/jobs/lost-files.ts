import { MillraceError } from '../../contract/errors.ts';
import type { Sql } from '../../database/database.ts';
import { failureColumns, failureValues } from './failure-columns.ts';
import { finalChannel } from './job-states.ts';

/**
 * Marks the jobs of missing or damaged files as failed, so that their next start runs them again. The remains of the
 * files are deleted, and listeners are notified. The jobs' webhooks were due when the jobs were done, and are not sent
 * again. Files whose jobs no longer exist or have already failed are skipped.
 *
 * @param keys Keys of files that are known to be lost, as reported by the store itself. One statement ends all their
 * jobs, so pass at most a few hundred.
 * @returns Number of jobs that this call has failed.
 */
export async function failLostFiles(sql: Sql, keys: readonly string[]): Promise<number> {
  if (keys.length === 0) return 0;
  const jobs = await sql.query(
    `with lost as (
       update render_jobs set state = 'failed', (${failureColumns}) = ($3, $4, $5::boolean, $6::integer)
       where file_key = any($1) and state = 'done' returning id, file_key
     ), swept as (
       insert into file_deletions (file_key) select file_key from lost on conflict do nothing
     )
     select pg_notify($2, id) from lost`,
    [keys, finalChannel, ...failureValues(fileLostError())],
  );
  return jobs.length;
}

/** The failure of a job whose stored file is missing or damaged. */
export function fileLostError(): MillraceError {
  const message = 'The stored file of this job is missing or damaged. Start the same job again.';
  return new MillraceError('file_lost', message);
}
