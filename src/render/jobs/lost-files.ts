import { MillraceError } from '../../contract/errors.ts';
import type { Sql } from '../../database/database.ts';
import { failureColumns, failureValues } from './failure-columns.ts';
import { finalChannel } from './job-states.ts';

/**
 * Ends the jobs of files that are missing or damaged as failed, so that their next start runs them again. What is left of
 * the files is deleted, and listeners are notified. The jobs' webhooks were due when they were done, and are not sent
 * again. Files whose jobs are gone or have already failed are skipped.
 *
 * @param keys Keys of files that are known to be lost: the store itself has answered. One statement ends all their jobs,
 *   so pass at most some hundred.
 * @returns How many jobs have failed by this call.
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
